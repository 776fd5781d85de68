// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/engines/lasting_decisions.h"
#include "core/triplets/engines/packed_triplets.h"
#include "core/triplets/problem/triplet_norm.h"
#include "core/triplets/screening/sphere_rule.h"

#include <Eigen/Core>

#include <cstdint>
#include <span>
#include <vector>

namespace lambdascope::triplets {

/// Bits of up to four triplets by what a rule says of them.
struct GroupDecisions {
    std::uint32_t zero = 0;
    std::uint32_t linear = 0;
};

/// Rows of an anchor by what is known of them as a whole: their numbers among the anchor's rows.
struct JudgedRows {
    std::span<const std::uint32_t> tested; ///< not decided as a whole: to be tested group by group
    std::span<const std::uint32_t> zero;
    std::span<const std::uint32_t> linear;
};

/// The sphere rule for packed triplets, four at a time.
///
/// With the SeparableNormBound of ‖H‖, from A = ‖a‖² of the other-class pair and B = ‖b‖² of the same-class one, or
/// with the largest norm of a row, one comparison may decide a whole row. Other rows are judged with the norms of the
/// NormCache, as SphereRule judges but for the rounding of norms to floats, which may lose a decision near the border
/// and never gains one.
///
/// In sets too large to keep norms |A − B| ≤ ‖H‖ tells which triplets cannot be decided; only the others are judged one
/// by one (SphereRule::look).
///
/// With forms at a second centre Q′ by all balls of that radius round the points of the segment from Q to Q′, a
/// capsule: margins are affine in M, so each is least and greatest at one of the two ends.
class SphereTester {
  public:
    /// `q` are the forms ⟨δδᵀ, Q⟩ of the entries of the triplets to be tested, `far` those at Q′ (none for Q′ = Q); the
    /// rule's margin error is the larger one of both ends. Where a form is no number nothing is decided at all.
    SphereTester(const TripletSet& triplets, NormCache& norms, std::span<const double> q, const SphereRule& rule,
                 std::span<const double> far = {});

    /// What one comparison for each row says about all of its triplets; until the next call.
    [[nodiscard]] JudgedRows beginAnchor(const PackedTriplets::AnchorView& anchor,
                                         std::span<const PackedTriplets::Row> rows);
    /// The same row by row: Keep of those to be tested.
    [[nodiscard]] std::span<const Decision> decisions() const { return m_decisions; }
    /// One of the anchor's rows, whose groups are to be tested.
    void beginRow(const PackedTriplets::Row& row, std::uint32_t number) {
        takeForms(number);
        if (m_anchorNorms != nullptr) {
            testByNorms(row);
        } else {
            takeLength(row);
        }
    }
    /// What the rule says about triplets of a group of the row.
    GroupDecisions test(std::uint32_t group, std::uint32_t bits) {
        return m_anchorNorms != nullptr ? m_tests[group].of(bits) : testByBounds(group, bits);
    }

    /// Triplets judged one by one.
    [[nodiscard]] std::int64_t judgedSingly() const { return m_judgedSingly; }

  private:
    /// Shorter rows are judged group by group at once.
    static constexpr std::size_t kLongRow = 48;

    /// One end of the capsule, at the anchor and the row at work.
    struct End {
        const double* forms = nullptr; ///< of all entries
        const double* value = nullptr; ///< per other-class neighbour
        const double* sames = nullptr; ///< per row
        double lowest = 0;             ///< and all of them lie between these
        double highest = 0;
        double leastZero = 0; ///< of long rows: less, and more, by what is the other-class pair's of radius times norm
        double mostLinear = 0;
        double same = 0; ///< of the row's same-class pair
    };
    void begin(End& end) const;
    void judgeRows(std::span<const PackedTriplets::Row> rows);
    Decision judgeLong(const PackedTriplets::Row& row, std::uint32_t number);
    [[nodiscard]] JudgedRows listRows();
    void takeForms(std::uint32_t number) {
        m_near.same = m_near.sames[number];
        m_far.same = m_far.sames[number];
    }
    void takeLength(const PackedTriplets::Row& row) {
        m_same = m_anchor.number(row.same);
        m_sameLength = m_triplets.squaredLength(m_same);
    }
    void setBounds();
    void setBounds(End& end) const;
    [[nodiscard]] bool hasFar() const { return m_far.forms != nullptr; }
    /// Whether a condition holds at the ends that there are.
    template <class Holds>
    [[nodiscard]] bool atBoth(const Holds& holds) const {
        return holds(m_near) && (!hasFar() || holds(m_far));
    }
    void testByNorms(const PackedTriplets::Row& row);
    GroupDecisions testByBounds(std::uint32_t group, std::uint32_t bits);

    const TripletSet& m_triplets;
    NormCache& m_norms;
    SphereRule m_rule;
    End m_near;
    End m_far;              ///< without forms where there is but one end
    double m_reach;         ///< radius in units of the norms kept
    bool m_isNumber = true; ///< all forms are
    double m_zeroLimit = 0; ///< how far comparisons must be from equality to be sure
    double m_linearLimit = 0;
    bool m_isLong = false;
    // Of the rows of the anchor at work:
    std::vector<Decision> m_decisions; ///< on all of a row
    std::vector<std::uint32_t> m_tested;
    std::vector<std::uint32_t> m_zero;
    std::vector<std::uint32_t> m_linear;
    PackedTriplets::AnchorView m_anchor;
    const float* m_anchorNorms = nullptr; ///< of the anchor's triplets
    SeparableNormBound m_bound{0, 0};
    std::vector<double> m_length; ///< per other-class neighbour A; of long rows, and where norms are not kept
    // Of the row at work:
    struct GroupTest {
        std::uint8_t zero = 0;
        std::uint8_t linear = 0;

        [[nodiscard]] GroupDecisions of(std::uint32_t bits) const { return {bits & zero, bits & linear}; }
    };
    std::vector<GroupTest> m_tests; ///< by the norms, of groups that the row uses
    PairIndex m_same = 0;
    double m_sameLength = 0;
    std::int64_t m_judgedSingly = 0;
};

/// At most so many places out of a number of them, spread evenly.
[[nodiscard]] std::vector<std::int64_t> spreadPlaces(std::int64_t wanted, std::int64_t among);

/// What a capsule leaves undecided of the triplets of a few anchors: an estimate of what screening by it would bring,
/// before that is paid for. It decides nothing, so nothing in it is padded for rounding.
///
/// Up to kMostAnchors anchors, spread evenly over the rows, each with up to kMostSames × kMostOthers of its triplets.
/// Cost O(d²) per row of the sample, a few operations per triplet; memory O(d) per row and 8 bytes per triplet.
class RestSample {
  public:
    static constexpr std::int64_t kMostAnchors = 64;
    static constexpr std::int64_t kMostSames = 16;
    static constexpr std::int64_t kMostOthers = 32;

    explicit RestSample(const TripletSet& triplets) : m_triplets(triplets) {}

    /// Shares of the sample, from 0 to 1.
    struct Rest {
        double pairs = 1; ///< that a triplet is left of
        double triplets = 1;
    };
    /// By the sphere rule for every M of the capsule.
    [[nodiscard]] Rest leftBy(const Capsule& capsule, double gamma);

    /// Of all calls, in the units of counted_work.h; choosing the sample is no part of it, as making the pairs is none.
    [[nodiscard]] double countedWork() const { return m_work; }

  private:
    /// An anchor: its same-class neighbours in the first rows of `differences`, those of other classes behind them.
    struct Anchor {
        DenseRows differences; ///< x_partner − x_anchor; of the diagonal structure, their squares
        Eigen::Index sames = 0;
        Eigen::ArrayXd lengths; ///< ‖δ‖², per row
        Eigen::ArrayXXd norms;  ///< ‖H‖, a column for each same-class neighbour

        [[nodiscard]] Eigen::Index others() const { return differences.rows() - sames; }
    };
    void choose();
    void add(RowIndex row);
    [[nodiscard]] Eigen::ArrayXd formsOf(const Anchor& anchor, const Eigen::MatrixXd& q);

    const TripletSet& m_triplets;
    std::vector<Anchor> m_anchors; ///< chosen when first asked
    bool m_isChosen = false;
    double m_work = 0;
};

} // namespace lambdascope::triplets
