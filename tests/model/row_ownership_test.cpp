// Who computes which element: every part is covered once, and the parts are of about equal size.
#include "engine/model/forces/row_ownership.h"

#include "engine/model/edge_tangent.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

#include <set>

namespace wobble {
namespace {

struct Visits {
    std::vector<std::set<int>> parts;  // by element
    std::vector<int> groups;           // by part
    template <class Element>
    Visits(const std::vector<Element>& tets, const std::vector<OwnedRange>& owned) : parts(tets.size()), groups(owned.size()) {
        const int count = static_cast<int>(tets.size());
        for (int part = 0; part < static_cast<int>(owned.size()); ++part)
            for_fours(owned[part], count, [&](int g, auto kind) {
                ++groups[part];
                EXPECT_EQ(kind.whole, 4 * g + 4 <= count) << g;
                for (int e = 4 * g; e < std::min(4 * g + 4, count); ++e) {
                    EXPECT_TRUE(parts[e].insert(part).second) << "element " << e << " twice";
                    for (int i : tets[e]) EXPECT_TRUE(!kind.inner || owned[part].owns(i)) << "element " << e << ", particle " << i;
                }
            });
    }
};

template <class Element>
void expect_all_visited(int rows, const std::vector<Element>& elements) {
    for (int threads = 1; threads <= 6; ++threads) {
        SCOPED_TRACE(std::to_string(elements.size()) + " elements, " + std::to_string(threads) + " threads");
        const std::vector<OwnedRange> owned = split_rows(rows, elements, Workers(threads));
        ASSERT_EQ(owned.size(), static_cast<std::size_t>(threads));
        for (int i = 0; i < rows; ++i)
            EXPECT_EQ(std::count_if(owned.begin(), owned.end(), [&](const OwnedRange& r) { return r.owns(i); }), 1) << "particle " << i;
        const Visits visits(elements, owned);
        for (std::size_t e = 0; e < elements.size(); ++e)
            for (int part = 0; part < threads; ++part)
                for (int i : elements[e])
                    EXPECT_TRUE(!owned[part].owns(i) || visits.parts[e].count(part) == 1) << "element " << e << ", part " << part;
    }
}

TEST(RowOwnership, EveryParticleHasOnePartThatVisitsAllItsElements) {
    for (const auto& [nx, ny, nz] : {std::array{1, 1, 1}, std::array{7, 2, 1}, std::array{9, 4, 4}}) {
        const TetMesh mesh = support::box_tets(nx, ny, nz);
        std::vector<Tet> tets = mesh.tets;
        interleave(tets);
        expect_all_visited(static_cast<int>(mesh.vertices.size()), tets);
        expect_all_visited(static_cast<int>(mesh.vertices.size()), std::vector<Edge>(unique_edges(mesh)));
    }
    for (int n = 1; n <= 20; ++n) {  // ends of every length in the last four
        std::vector<Edge> chain;
        std::vector<Tet> apart;
        for (int i = 0; i < n; ++i) chain.push_back({i, i + 1}), apart.push_back({4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3});
        expect_all_visited(n + 1, chain);
        expect_all_visited(4 * n, apart);
    }
    expect_all_visited(4, std::vector<Edge>{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}});
}

// A body that is thick at one end: as many rows for each would be 3 times as many elements for one as for the other.
TEST(RowOwnership, PartsHaveAboutAsManyElementsToVisit) {
    const TetMesh mesh = support::box_tets(30, 3, 3);
    std::vector<Tet> tets = mesh.tets;
    const int rows = static_cast<int>(mesh.vertices.size());
    std::erase_if(tets, [&](const Tet& t) { return t[0] > rows / 2 && t[0] % 3 != 0; });
    const auto groups = Visits(tets, split_rows(rows, tets, Workers(2))).groups;
    EXPECT_LT(std::abs(groups[0] - groups[1]), 0.1 * groups[0]) << groups[0] << " and " << groups[1];
    EXPECT_LT(groups[0] + groups[1], 0.3 * static_cast<double>(tets.size())) << "of which a quarter is the least";
}

TEST(RowOwnership, NothingToShareIsFine) {
    for (int threads = 1; threads <= 3; ++threads) {
        const std::vector<OwnedRange> none = split_rows(5, std::vector<Tet>{}, Workers(threads));
        EXPECT_EQ(Visits(std::vector<Tet>{}, none).groups, std::vector<int>(threads, 0));
        EXPECT_EQ(none.back().row_end, 5);
    }
}

}  // namespace
}  // namespace wobble
