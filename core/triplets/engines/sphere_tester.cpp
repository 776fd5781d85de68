// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/sphere_tester.h"

#include "core/triplets/problem/counted_work.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <type_traits>

namespace lambdascope::triplets {

namespace {

static_assert(NormCache::kPadding >= kGroupSize);

using Four = Eigen::Array4d;

/// Rows of the data for each row of the sample, about: what keeps an estimate far cheaper than an evaluation.
constexpr std::int64_t kRowsPerSampled = 3;
constexpr std::int64_t kFewestAnchors = 3;

/// Of `count` things, the place of the one that stands for the n-th of `parts` equal parts.
std::int64_t middleOf(std::int64_t n, std::int64_t parts, std::int64_t count) {
    return (2 * n + 1) * count / (2 * parts);
}

} // namespace

SphereTester::SphereTester(const TripletSet& triplets, NormCache& norms, std::span<const double> q,
                           const SphereRule& rule, std::span<const double> far)
    : m_triplets(triplets), m_norms(norms), m_rule(rule),
      m_reach(rule.radius() * norms.unit() * (1 + SeparableNormBound::kSlack)) {
    m_near.forms = q.data();
    m_far.forms = far.empty() ? nullptr : far.data();
    // Each side of the comparisons is a few operations on numbers of that size: forms, and radii times norms, ‖H‖ ≤
    // ‖a‖² + ‖b‖² ≤ 8 ρ².
    double largest = 1;
    double sum = 0;
    for (const std::span<const double>& forms : {q, far}) {
        const Eigen::Map<const Eigen::ArrayXd> all(forms.data(), std::ssize(forms));
        largest = all.size() > 0 ? std::max({largest, -all.minCoeff(), all.maxCoeff()}) : largest;
        sum += all.sum();
    }
    m_isNumber = !std::isnan(sum); // a comparison at one end may not see what is no number at the other one
    const double rho = triplets.largestNorm();
    const double size = 2 * largest + rule.radius() * 8 * rho * rho;
    const double pad =
        m_isNumber ? rule.marginError() + 16 * kUnitRoundoff * size : std::numeric_limits<double>::infinity();
    m_zeroLimit = 1 + pad;
    m_linearLimit = rule.lowerEdge() - pad;
}

void SphereTester::begin(End& end) const {
    const std::size_t others = m_anchor.columns.size(); // groups of four
    end.value = end.forms + m_anchor.entry;
    end.sames = end.value + others;
    Four lowest = Four::Map(end.value);
    Four highest = lowest;
    for (std::size_t o = kGroupSize; o < others; o += kGroupSize) {
        const Four value = Four::Map(end.value + o);
        lowest = lowest.min(value);
        highest = highest.max(value);
    }
    end.lowest = lowest.minCoeff();
    end.highest = highest.maxCoeff();
}

JudgedRows SphereTester::beginAnchor(const PackedTriplets::AnchorView& anchor,
                                     std::span<const PackedTriplets::Row> rows) {
    m_anchor = anchor;
    m_anchorNorms = m_norms.keepsRows() ? m_norms.ofAnchor(anchor.row) : nullptr;
    begin(m_near);
    if (hasFar()) {
        begin(m_far);
    } else {
        m_far.sames = m_near.sames;
        m_far.lowest = m_near.lowest;
        m_far.highest = m_near.highest;
    }
    m_tests.resize(std::max(m_tests.size(), anchor.origins.size()));
    m_isLong = anchor.columns.size() >= kLongRow || m_anchorNorms == nullptr;
    if (m_isLong) {
        setBounds();
    }
    judgeRows(rows);
    const JudgedRows judged = listRows();
    if (m_anchorNorms != nullptr) {
        for (const std::uint32_t number : judged.tested) { // of which most lie where no earlier ones did
            __builtin_prefetch(m_anchorNorms + rows[number].place * m_triplets.otherCount(anchor.row));
        }
    }
    return judged;
}

/// By the largest norm of each, and long ones by the separable bound.
void SphereTester::judgeRows(std::span<const PackedTriplets::Row> rows) {
    m_decisions.assign(rows.size(), Decision::Keep);
    if (m_anchorNorms != nullptr) {
        const float* most = m_norms.mostOfAnchor(m_anchor.row);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const double reach = m_reach * static_cast<double>(most[rows[r].place]);
            const double least = std::min(m_near.lowest - m_near.sames[r], m_far.lowest - m_far.sames[r]) - reach;
            const double greatest = std::max(m_near.highest - m_near.sames[r], m_far.highest - m_far.sames[r]) + reach;
            const int zero = static_cast<int>(least > m_zeroLimit);
            const int linear = static_cast<int>(greatest < m_linearLimit);
            m_decisions[r] = static_cast<Decision>(zero + 2 * linear); // never both
        }
    }
    for (std::size_t r = 0; m_isLong && r < rows.size(); ++r) {
        if (m_decisions[r] == Decision::Keep) {
            m_decisions[r] = judgeLong(rows[r], static_cast<std::uint32_t>(r));
        }
    }
}

/// Without a branch: no processor foresees what is decided.
JudgedRows SphereTester::listRows() {
    const std::size_t count = m_decisions.size();
    if (m_tested.size() < count) {
        for (std::vector<std::uint32_t>* numbers : {&m_tested, &m_zero, &m_linear}) {
            numbers->resize(count);
        }
    }
    std::size_t tested = 0;
    std::size_t zero = 0;
    std::size_t linear = 0;
    for (std::uint32_t r = 0; r < count; ++r) {
        const Decision decision = m_decisions[r];
        m_tested[tested] = m_zero[zero] = m_linear[linear] = r;
        tested += decision == Decision::Keep ? 1 : 0;
        zero += decision == Decision::Zero ? 1 : 0;
        linear += decision == Decision::Linear ? 1 : 0;
    }
    return {{m_tested.data(), tested}, {m_zero.data(), zero}, {m_linear.data(), linear}};
}

/// What rows are compared with as a whole.
void SphereTester::setBounds() {
    const std::size_t others = m_anchor.columns.size();
    m_length.resize(others);
    double total = 0;
    for (std::size_t o = 0; o < others; ++o) {
        m_length[o] = m_triplets.squaredLength(m_anchor.other(o));
        total += m_length[o];
    }
    m_bound = SeparableNormBound(total / static_cast<double>(others), m_rule.radius());
    setBounds(m_near);
    if (hasFar()) {
        setBounds(m_far);
    }
}

void SphereTester::setBounds(End& end) const {
    end.leastZero = std::numeric_limits<double>::infinity();
    end.mostLinear = -end.leastZero;
    for (std::size_t o = 0; o < m_length.size(); ++o) {
        const double reach = m_bound.ofOther(m_length[o]);
        end.leastZero = std::min(end.leastZero, end.value[o] - reach);
        end.mostLinear = std::max(end.mostLinear, end.value[o] + reach);
    }
}

/// What the separable bound of norms says of all of a long row.
Decision SphereTester::judgeLong(const PackedTriplets::Row& row, std::uint32_t number) {
    takeForms(number);
    takeLength(row);
    const double reach = m_bound.ofSame(m_sameLength);
    if (atBoth([&](const End& end) { return end.leastZero > m_zeroLimit + end.same + reach; })) {
        return Decision::Zero;
    }
    return atBoth([&](const End& end) { return end.mostLinear < m_linearLimit - reach + end.same; }) ? Decision::Linear
                                                                                                     : Decision::Keep;
}

/// All groups in one loop, in which nothing of the row has to be read again.
void SphereTester::testByNorms(const PackedTriplets::Row& row) {
    const float* norms = m_anchorNorms + row.place * m_triplets.otherCount(m_anchor.row);
    const std::uint32_t* origins = m_anchor.origins.data();
    GroupTest* tests = m_tests.data();
    const auto testAll = [&, reach = m_reach, zeroLimit = m_zeroLimit, linearLimit = m_linearLimit, near = m_near,
                          far = m_far](auto hasTwoEnds) {
        for (const std::uint32_t bits : m_anchor.groupsOf(row)) {
            const std::uint32_t group = bits >> kGroupSize;
            const float* norm = norms + kGroupSize * origins[group];
            const Four ofNorms = reach * Four(norm[0], norm[1], norm[2], norm[3]); // a cast would go by memory
            Four lowest = Four::Map(near.value + kGroupSize * group) - near.same;
            Four highest = lowest;
            if constexpr (hasTwoEnds) {
                const Four atFar = Four::Map(far.value + kGroupSize * group) - far.same;
                lowest = lowest.min(atFar);
                highest = highest.max(atFar);
            }
            const Four least = lowest - ofNorms;
            const Four most = highest + ofNorms;
            tests[group] = {static_cast<std::uint8_t>(bitsAbove(least.data(), zeroLimit)),
                            static_cast<std::uint8_t>(bitsBelow(most.data(), linearLimit))};
        }
    };
    if (hasFar()) {
        testAll(std::true_type());
    } else {
        testAll(std::false_type());
    }
}

GroupDecisions SphereTester::testByBounds(std::uint32_t group, std::uint32_t bits) {
    GroupDecisions found;
    for (; bits != 0 && m_isNumber; bits &= bits - 1) {
        const int bit = std::countr_zero(bits);
        const std::size_t o = kGroupSize * group + static_cast<std::size_t>(bit);
        double low = m_near.value[o] - m_near.same; // the least margin of both ends, and the greatest
        double high = low;
        if (hasFar()) {
            const double far = m_far.value[o] - m_far.same;
            low = std::min(low, far);
            high = std::max(high, far);
        }
        // Undecided even with the least norm there could be; rounding may only lose decisions here.
        const double least = m_rule.radius() * std::abs(m_length[o] - m_sameLength) * (1 - SeparableNormBound::kSlack);
        if (!(low - least > 1) && !(high + least < m_rule.lowerEdge())) {
            continue;
        }
        ++m_judgedSingly;
        const bool mayBeZero = low > 1;
        const double q = mayBeZero ? low : high;
        Decision decision = m_rule.look(q, m_length[o], m_sameLength);
        if (decision == Decision::Unsure) {
            decision = m_rule.judge(q, m_norms.squared(m_anchor.other(o), m_same));
        }
        found.zero |= static_cast<std::uint32_t>(mayBeZero && decision == Decision::Zero) << bit;
        found.linear |= static_cast<std::uint32_t>(!mayBeZero && decision == Decision::Linear) << bit;
    }
    return found;
}

std::vector<std::int64_t> spreadPlaces(std::int64_t wanted, std::int64_t among) {
    // By the golden section, which unlike equal steps meets every class where these alternate.
    constexpr double kGoldenSection = 0.6180339887498949;
    std::set<std::int64_t> places;
    for (std::int64_t n = 1; std::ssize(places) < std::min(wanted, among); ++n) {
        const double turns = static_cast<double>(n) * kGoldenSection;
        places.insert(
            std::min(static_cast<std::int64_t>((turns - std::floor(turns)) * static_cast<double>(among)), among - 1));
    }
    return {places.begin(), places.end()};
}

void RestSample::choose() {
    m_isChosen = true;
    std::vector<RowIndex> rows;
    std::int64_t entries = 0;
    for (RowIndex i = 0; i < m_triplets.rows(); ++i) {
        const std::int64_t sames = std::min(m_triplets.sameCount(i), kMostSames);
        const std::int64_t others = std::min(m_triplets.otherCount(i), kMostOthers);
        if (sames > 0 && others > 0) {
            rows.push_back(i);
            entries += sames + others;
        }
    }
    const std::int64_t anchors = std::ssize(rows);
    if (anchors == 0) {
        return;
    }
    const std::int64_t affordable = m_triplets.rows() / kRowsPerSampled * anchors / entries;
    for (const std::int64_t place : spreadPlaces(std::clamp(affordable, kFewestAnchors, kMostAnchors), anchors)) {
        add(rows[static_cast<std::size_t>(place)]);
    }
}

void RestSample::add(RowIndex row) {
    const std::int64_t sames = std::min(m_triplets.sameCount(row), kMostSames);
    const std::int64_t others = std::min(m_triplets.otherCount(row), kMostOthers);
    const Eigen::Index stride = m_triplets.stride();
    Anchor anchor;
    anchor.sames = sames;
    anchor.differences.resize(sames + others, stride);
    anchor.lengths.resize(sames + others);
    const auto take = [&](Eigen::Index place, PairIndex pair) {
        anchor.lengths(place) = m_triplets.squaredLength(pair);
        anchor.differences.row(place) =
            m_triplets.paddedRows().row(m_triplets.partner(pair, row)) - m_triplets.paddedRows().row(row);
    };
    for (std::int64_t s = 0; s < sames; ++s) {
        take(s, m_triplets.samePair(m_triplets.sameOffset(row) + middleOf(s, sames, m_triplets.sameCount(row))));
    }
    for (std::int64_t o = 0; o < others; ++o) {
        take(sames + o,
             m_triplets.otherPair(m_triplets.otherOffset(row) + middleOf(o, others, m_triplets.otherCount(row))));
    }
    if (m_triplets.structure() == Structure::Diagonal) {
        anchor.differences = anchor.differences.array().square();
    }
    // ‖H‖² = A² + B² − 2 P, where P = (aᵀb)², or Σ a_k² b_k² of the diagonal.
    anchor.norms = anchor.differences.bottomRows(others) * anchor.differences.topRows(sames).transpose();
    for (std::int64_t s = 0; s < sames; ++s) {
        for (std::int64_t o = 0; o < others; ++o) {
            double& p = anchor.norms(o, s);
            p = m_triplets.structure() == Structure::Full ? p * p : p;
            p = std::sqrt(squaredNormBound(anchor.lengths(sames + o), anchor.lengths(s), p, m_triplets.features()));
        }
    }
    m_anchors.push_back(std::move(anchor));
}

RestSample::Rest RestSample::leftBy(const Capsule& capsule, double gamma) {
    if (!m_isChosen) {
        choose();
    }
    std::int64_t pairs = 0;
    std::int64_t leftPairs = 0;
    std::int64_t triplets = 0;
    std::int64_t left = 0;
    for (const Anchor& anchor : m_anchors) {
        const Eigen::Index others = anchor.others();
        const Eigen::ArrayXd near = formsOf(anchor, capsule.centre);
        const Eigen::ArrayXd far = capsule.far.size() > 0 ? formsOf(anchor, capsule.far) : near;
        Eigen::ArrayXd open = Eigen::ArrayXd::Zero(others); // triplets left of each pair of another class
        for (Eigen::Index s = 0; s < anchor.sames; ++s) {
            const Eigen::ArrayXd reach = capsule.radius * anchor.norms.col(s);
            const Eigen::ArrayXd one = near.tail(others) - near(s);
            const Eigen::ArrayXd other = far.tail(others) - far(s);
            const Eigen::ArrayXd isDecided =
                (one.min(other) - reach > 1 || one.max(other) + reach < 1 - gamma).cast<double>();
            open += 1 - isDecided; // also of what is no number
            const auto count = others - std::llround(isDecided.sum());
            left += count;
            leftPairs += count > 0 ? 1 : 0;
        }
        leftPairs += (open > 0).count();
        pairs += anchor.sames + others;
        triplets += anchor.sames * others;
        m_work += work::ofTriplets(anchor.sames, anchor.sames * others, 0);
    }
    return pairs == 0 ? Rest()
                      : Rest{static_cast<double>(leftPairs) / static_cast<double>(pairs),
                             static_cast<double>(left) / static_cast<double>(triplets)};
}

/// ⟨δδᵀ, Q⟩ of the anchor's pairs.
Eigen::ArrayXd RestSample::formsOf(const Anchor& anchor, const Eigen::MatrixXd& q) {
    const auto differences = anchor.differences.leftCols(m_triplets.features());
    m_work += work::ofProduct(differences.rows(), differences.cols(), q.cols()) +
              work::ofValues(differences.rows(), differences.cols());
    const DenseRows image = differences * q;
    if (m_triplets.structure() == Structure::Diagonal) {
        return image.col(0);
    }
    return image.cwiseProduct(differences).rowwise().sum();
}

} // namespace lambdascope::triplets
