// SPDX-License-Identifier: GPL-3.0-or-later
// lambdascope_reader_replay READER FILE…: has each file read; see ./dev fuzz coverage.
#include "tests/fuzz/readers.h"

#include <cstdio>
#include <fstream>
#include <sstream>

int main(int count, char** arguments) {
    const auto* reader = lambdascope::test::findReader(count > 1 ? arguments[1] : "");
    if (reader == nullptr) {
        std::fprintf(stderr, "there is no such reader\n");
        return 2;
    }
    int status = 0;
    for (int i = 2; i < count; ++i) {
        std::ostringstream bytes;
        bytes << std::ifstream(arguments[i], std::ios::binary).rdbuf();
        if (const std::string wrong = reader->read(bytes.str()); !wrong.empty()) {
            std::fprintf(stderr, "%s: %s\n", arguments[i], wrong.c_str());
            status = 1;
        }
    }
    return status;
}
