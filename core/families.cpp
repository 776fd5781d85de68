// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/families.h"

#include "core/metric/family.h"
#include "core/ordinal/family.h"
#include "core/pu/family.h"
#include "core/svm/family.h"

#include <algorithm>

namespace lambdascope {

const std::vector<Family>& builtInFamilies() {
    static const std::vector<Family> families = {metric::family(), svm::family(), ordinal::family(), pu::family()};
    return families;
}

const SchemaCatalog& builtInCatalog() {
    static const SchemaCatalog catalog = [] {
        std::vector<FamilySchema> schemas;
        for (const Family& family : builtInFamilies()) {
            schemas.push_back(family.schema);
        }
        return SchemaCatalog(std::move(schemas));
    }();
    return catalog;
}

const Family* findFamily(std::string_view id) {
    const auto& families = builtInFamilies();
    const auto found =
        std::find_if(families.begin(), families.end(), [&](const Family& f) { return f.schema.id == id; });
    return found == families.end() ? nullptr : &*found;
}

} // namespace lambdascope
