// Who computes which element: nobody's part is missing, and all have about as much to do.
#include "engine/model/row_ownership.h"

#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

#include <set>

namespace wobble {
namespace {

struct Visits {
    std::vector<std::set<int>> parts;  // by element
    std::vector<int> groups;           // by part
    explicit Visits(const std::vector<Tet>& tets, const std::vector<OwnedRange>& owned) : parts(tets.size()), groups(owned.size()) {
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

TEST(RowOwnership, EveryParticleHasOnePartThatVisitsAllItsElements) {
    for (const auto& [nx, ny, nz] : {std::array{1, 1, 1}, std::array{7, 2, 1}, std::array{9, 4, 4}}) {
        const TetMesh mesh = support::box_tets(nx, ny, nz);
        std::vector<Tet> tets = mesh.tets;
        interleave(tets);
        const int rows = static_cast<int>(mesh.vertices.size());
        for (int threads = 1; threads <= 5; ++threads) {
            const std::vector<OwnedRange> owned = split_rows(rows, tets, Workers(threads));
            ASSERT_EQ(owned.size(), static_cast<std::size_t>(threads));
            for (int i = 0; i < rows; ++i)
                EXPECT_EQ(std::count_if(owned.begin(), owned.end(), [&](const OwnedRange& r) { return r.owns(i); }), 1) << "particle " << i;
            const Visits visits(tets, owned);
            for (std::size_t e = 0; e < tets.size(); ++e)
                for (int part = 0; part < threads; ++part)
                    for (int i : tets[e])
                        EXPECT_TRUE(!owned[part].owns(i) || visits.parts[e].count(part) == 1) << "element " << e << ", part " << part;
        }
    }
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
        EXPECT_EQ(Visits({}, none).groups, std::vector<int>(threads, 0));
        EXPECT_EQ(none.back().row_end, 5);
    }
}

}  // namespace
}  // namespace wobble
