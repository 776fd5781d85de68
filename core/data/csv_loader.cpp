// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/csv_loader.h"

#include "core/data/raw_data.h"
#include "core/data/table_sniffer.h"

namespace lambdascope {

Result<RawData> CsvLoader::load(InputReader& input, const LoadOptions& options) const {
    FieldSyntax syntax{m_delimiter, "\"", false};
    if (m_delimiter == 0) {
        const auto head = input.lookAhead();
        if (!head) {
            return Failure(head.error());
        }
        syntax.delimiter = sniffDelimiter(*head, input.sawAll());
    }
    return loadTable(input, options, syntax, AutoLabels::LastThenFirst);
}

} // namespace lambdascope
