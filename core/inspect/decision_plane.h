// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lambdascope {

/// Two features of the data, by their numbers from 0; −1: whoever draws the plane chooses them. A plane that was drawn
/// has −1 upwards where that is the number to fit, against the only feature.
struct PlaneAxes {
    std::int32_t x = -1;
    std::int32_t y = -1;
    bool operator==(const PlaneAxes&) const = default;
};

/// What a solution makes of the plane of two features, all others at their means: where its decision changes, what
/// bounds say about every place, and where the samples lie, which are projected when there are other features. Of a
/// regression with one feature it is the plane of that feature and the number to fit, with the fitted curve.
/// Coordinates are those of the prepared data.
struct DecisionPlane {
    struct Place {
        double x = 0;
        double y = 0;
    };
    /// Lines along which the decision value is a number.
    struct Level {
        std::string name; ///< "decision boundary"
        bool isBoundary = false;
        std::vector<std::vector<Place>> lines;
    };
    /// A kind of place: what is known about any sample there.
    struct Area {
        std::string name;       ///< "R for benign"
        std::int32_t side = -1; ///< the side it belongs to; −1 for none or both
        bool isSettled = true;  ///< false when only samples of one side are decided
    };
    struct Item {
        std::int64_t item = 0;
        double x = 0;
        double y = 0;
        double value = 0;       ///< of the decision
        std::int32_t side = 0;  ///< index into sides: the class
        std::int32_t state = 0; ///< index into states
        std::string title;      ///< "sample 12 (+)"
    };

    PlaneAxes axes;
    std::vector<std::string> features; ///< names of all, from which axes can be chosen
    std::string xLabel;
    std::string yLabel;
    std::string valueLabel; ///< "f(x)"
    double xLow = 0;        ///< the rectangle that the cells fill
    double xHigh = 0;
    double yLow = 0;
    double yHigh = 0;
    std::int32_t columns = 0;
    std::int32_t rows = 0;
    std::vector<std::int8_t> cells; ///< row by row from below, each from left to right: index into areas, −1 for none
    std::vector<Area> areas;
    std::vector<Level> levels;
    std::vector<std::string> sides;  ///< names of classes; one without a name where samples are of none
    std::vector<std::string> states; ///< of items, decided ones first: "R, screened", …, "R", …
    std::int32_t screenedStates = 0; ///< how many of the states are decisions of the rules, in time or not
    std::vector<Item> items;         ///< all, or evenly drawn ones
    std::int64_t total = 0;          ///< items of the problem
};

/// Nodes of a grid, `columns` × `rows` of them at the centres of equal cells: row by row from below.
[[nodiscard]] std::vector<DecisionPlane::Place> cellCentres(const DecisionPlane& plane);

/// The middle of a column of cells, along x.
[[nodiscard]] double columnCentre(const DecisionPlane& plane, std::int32_t column);

/// About `most` multiples of 1, 2 or 5 times a power of ten between two numbers, for lines of equal values.
[[nodiscard]] std::vector<double> roundNumbers(double low, double high, int most);

/// Lines along which values at the cell centres of `plane`, interpolated between them, are `level`: each as long as it
/// goes on, closed ones with their first place again at the end. O(cells).
[[nodiscard]] std::vector<std::vector<DecisionPlane::Place>> levelLines(const DecisionPlane& plane,
                                                                        std::span<const double> values, double level);

} // namespace lambdascope
