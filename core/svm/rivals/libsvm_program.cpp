// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/rivals/libsvm_program.h"

#include "core/common/number_text.h"

namespace lambdascope::svm {

namespace {

using Kind = HelperTrouble::Kind;

constexpr const char* kField = "solver.method";
constexpr const char* kLeaveOut = "Leave the lane out, or set the method to \"descent\".";

} // namespace

std::filesystem::path libsvmProgram() {
    return helperProgram("lambdascope-libsvm");
}

bool hasLibsvm() {
#ifdef LAMBDASCOPE_HAS_LIBSVM
    return true;
#else
    return false;
#endif
}

Error libsvmError(const HelperTrouble& trouble, const std::filesystem::path& program, double c, bool isInBuild) {
    if (trouble.kind == Kind::NotThere && !isInBuild) {
        return singleFault(ErrorCode::FileNotFound,
                           {kField,
                            "is libsvm, but LIBSVM is not in this build",
                            "Install libsvm-dev and build Lambdascope again, or leave the lane out.",
                            {}});
    }
    if (trouble.kind == Kind::Ended) {
        return singleFault(ErrorCode::Internal, {kField,
                                                 "LIBSVM ended while it solved C = " + exactText(c) +
                                                     (trouble.detail.empty() ? std::string() : ": " + trouble.detail),
                                                 kLeaveOut,
                                                 {}});
    }
    const HelperComplaint complaint = complaintOf(trouble, program, "runs LIBSVM");
    const bool isMissing = trouble.kind == Kind::NotThere || trouble.kind == Kind::NotStartable;
    return singleFault(isMissing                      ? ErrorCode::FileNotFound
                       : trouble.kind == Kind::Killed ? ErrorCode::OutOfMemory
                                                      : ErrorCode::Internal,
                       {kField, "is libsvm, but " + complaint.message, complaint.remedy, {}});
}

Error libsvmRefusal(double c, const std::string& what, const std::string& remedy) {
    return singleFault(
        ErrorCode::InvalidData,
        {kField, "LIBSVM does not solve C = " + exactText(c) + ": " + what, remedy.empty() ? kLeaveOut : remedy, {}});
}

} // namespace lambdascope::svm
