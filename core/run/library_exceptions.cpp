// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/library_exceptions.h"

#include "core/config/json.h"

#include <exception>
#include <new>

namespace lambdascope {

Error errorOfCurrentException(const std::string& activity) {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        Fault fault;
        fault.message = "not enough memory while " + activity;
        fault.remedy = "Use fewer samples (data.subset) or a smaller problem, or run on a larger machine.";
        return singleFault(ErrorCode::OutOfMemory, std::move(fault));
    } catch (const JsonError&) { // its words are for programmers
        return plainError(ErrorCode::Internal, "unexpected failure while " + activity +
                                                   ": a value in a JSON text is missing or of the wrong type");
    } catch (const std::exception& exception) {
        return plainError(ErrorCode::Internal, "unexpected failure while " + activity + ": " + exception.what());
    } catch (...) {
        return plainError(ErrorCode::Internal, "unexpected failure while " + activity);
    }
}

} // namespace lambdascope
