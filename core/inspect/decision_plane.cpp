// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inspect/decision_plane.h"

#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace lambdascope {

namespace {

using Place = DecisionPlane::Place;

/// Where a line crosses the grid: an edge between two neighbouring nodes, by its lower node and whether it goes up.
using Edge = std::pair<std::int64_t, bool>;

/// Pieces of level lines by marching squares: in each square of four nodes, between edges whose ends lie on different
/// sides of the level.
class LineTracer {
  public:
    LineTracer(const DecisionPlane& plane, std::span<const double> values, double level)
        : m_plane(plane), m_values(values), m_level(level), m_nodes(cellCentres(plane)) {
        for (std::int32_t row = 0; row + 1 < plane.rows; ++row) {
            for (std::int32_t column = 0; column + 1 < plane.columns; ++column) {
                addSquare(static_cast<std::int64_t>(row) * plane.columns + column);
            }
        }
    }

    std::vector<std::vector<Place>> lines() {
        std::vector<std::vector<Place>> all;
        // Open lines first, from their ends; what is left is closed.
        for (const bool isOpen : {true, false}) {
            for (const auto& [edge, ways] : m_ways) {
                if (ways.count > 0 && (!isOpen || ways.count == 1)) {
                    all.push_back(follow(edge));
                }
            }
        }
        return all;
    }

  private:
    struct Ways {
        std::array<Edge, 2> to;
        int count = 0;
    };

    [[nodiscard]] double valueAt(std::int64_t node) const { return m_values[static_cast<std::size_t>(node)]; }
    [[nodiscard]] bool isAbove(std::int64_t node) const { return valueAt(node) > m_level; }

    void addSquare(std::int64_t node) {
        const std::int64_t up = node + m_plane.columns;
        const Edge south{node, false}, north{up, false}, west{node, true}, east{node + 1, true};
        const std::array<bool, 4> above = {isAbove(node), isAbove(node + 1), isAbove(up + 1), isAbove(up)};
        std::array<Edge, 4> crossed;
        int count = 0;
        const std::array<Edge, 4> edges = {south, east, north, west};
        for (std::size_t k = 0; k < 4; ++k) {
            if (above[k] != above[(k + 1) % 4]) {
                crossed[static_cast<std::size_t>(count++)] = edges[k];
            }
        }
        if (count == 2) {
            join(crossed[0], crossed[1]);
        } else if (count == 4) { // a saddle: the middle says which corners belong together
            const double middle = 0.25 * (valueAt(node) + valueAt(node + 1) + valueAt(up) + valueAt(up + 1));
            const bool cutsOffFirst = (middle > m_level) != above[0];
            join(south, cutsOffFirst ? west : east);
            join(north, cutsOffFirst ? east : west);
        }
    }

    void join(const Edge& a, const Edge& b) {
        Ways& fromA = m_ways[a];
        Ways& fromB = m_ways[b];
        fromA.to[static_cast<std::size_t>(fromA.count++)] = b;
        fromB.to[static_cast<std::size_t>(fromB.count++)] = a;
    }

    [[nodiscard]] Place placeOf(const Edge& edge) const {
        const std::int64_t from = edge.first;
        const std::int64_t to = from + (edge.second ? m_plane.columns : 1);
        const double share = (m_level - valueAt(from)) / (valueAt(to) - valueAt(from));
        const Place& a = m_nodes[static_cast<std::size_t>(from)];
        const Place& b = m_nodes[static_cast<std::size_t>(to)];
        return {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
    }

    /// Walks as far as it goes, and takes up what it walks on.
    std::vector<Place> follow(Edge edge) {
        std::vector<Place> line{placeOf(edge)};
        while (m_ways[edge].count > 0) {
            Ways& here = m_ways[edge];
            const Edge next = here.to[static_cast<std::size_t>(--here.count)];
            Ways& there = m_ways[next];
            if (there.to[0] == edge && there.count > 0) {
                there.to[0] = there.to[1];
            }
            --there.count;
            line.push_back(placeOf(next));
            edge = next;
        }
        return line;
    }

    const DecisionPlane& m_plane;
    std::span<const double> m_values;
    double m_level;
    std::vector<Place> m_nodes;
    std::map<Edge, Ways> m_ways;
};

} // namespace

double columnCentre(const DecisionPlane& plane, std::int32_t column) {
    return plane.xLow + (column + 0.5) * ((plane.xHigh - plane.xLow) / plane.columns);
}

std::vector<DecisionPlane::Place> cellCentres(const DecisionPlane& plane) {
    std::vector<Place> nodes;
    nodes.reserve(static_cast<std::size_t>(plane.rows) * static_cast<std::size_t>(plane.columns));
    const double height = (plane.yHigh - plane.yLow) / plane.rows;
    for (std::int32_t row = 0; row < plane.rows; ++row) {
        for (std::int32_t column = 0; column < plane.columns; ++column) {
            nodes.push_back({columnCentre(plane, column), plane.yLow + (row + 0.5) * height});
        }
    }
    return nodes;
}

std::vector<double> roundNumbers(double low, double high, int most) {
    std::vector<double> numbers;
    const double least = (high - low) / most;
    if (!(least > 0)) {
        return numbers;
    }
    const double power = std::pow(10, std::floor(std::log10(least)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0}) {
        step = factor * power >= least ? factor * power : step;
    }
    for (double k = std::ceil(low / step); k * step <= high; ++k) {
        numbers.push_back(k * step);
    }
    return numbers;
}

std::vector<std::vector<DecisionPlane::Place>> levelLines(const DecisionPlane& plane, std::span<const double> values,
                                                          double level) {
    return LineTracer(plane, values, level).lines();
}

} // namespace lambdascope
