// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/build_facts.h"

#include "core/numeric/blas_library.h"

namespace lambdascope {

namespace {

/// The instruction level whose instructions the compiler was allowed to use.
constexpr const char* compiledLevel() {
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
    return "x86-64-v4";
#elif defined(__AVX2__) && defined(__FMA__)
    return "x86-64-v3";
#elif defined(__x86_64__)
    return "x86-64";
#else
    return "other";
#endif
}

/// The level of the processor.
std::string processorLevel() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
        return "x86-64-v4";
    }
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "x86-64-v3" : "x86-64";
#else
    return "other";
#endif
}

} // namespace

Json buildFacts() {
    Json facts = Json::object();
    facts["version"] = LAMBDASCOPE_VERSION;
    facts["compiler"] = LAMBDASCOPE_COMPILER;
    facts["flags"] = LAMBDASCOPE_COMPILER_FLAGS;
    facts["instructions"] = compiledLevel();
#ifdef NDEBUG
    facts["asserts"] = "off";
#else
    facts["asserts"] = "on";
#endif
    facts["processor"] = processorLevel();
    facts["blas"] = blasKernels();
    return facts;
}

std::vector<std::string> buildDifferences(const Json& then) {
    if (!then.isObject() || then.empty()) {
        return {"the run does not say which build made it"};
    }
    std::vector<std::string> differences;
    const Json facts = buildFacts(); // outlives the loop over its items
    for (const auto& [key, here] : facts.items()) {
        const auto found = then.find(key);
        const std::string there = found != then.end() && found->isText() ? found->get<std::string>() : "unknown";
        if (there != here.get<std::string>()) {
            differences.push_back(key + ": " + there + " in the run, " + here.get<std::string>() + " here");
        }
    }
    return differences;
}

} // namespace lambdascope
