// SPDX-License-Identifier: GPL-3.0-or-later
// What libFuzzer calls with bytes of its own making; see ./dev fuzz. LAMBDASCOPE_FUZZ_READER in the environment names
// the reader.
#include "tests/fuzz/readers.h"

#include <cstdio>
#include <cstdlib>

namespace {

const lambdascope::test::Reader* reader = nullptr;

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    const char* name = std::getenv("LAMBDASCOPE_FUZZ_READER");
    reader = lambdascope::test::findReader(name == nullptr ? "" : name);
    if (reader == nullptr) {
        for (const auto& known : lambdascope::test::readers()) {
            std::printf("%.*s\n", static_cast<int>(known.name.size()), known.name.data());
        }
        std::exit(name == nullptr ? 0 : 2);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
    const std::string wrong = reader->read({reinterpret_cast<const char*>(bytes), size});
    if (!wrong.empty()) {
        std::fprintf(stderr, "%s\n", wrong.c_str());
        std::abort();
    }
    return 0;
}
