#include "engine/core/file.h"

#include "engine/core/spelling.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <vector>

namespace wobble {
namespace {

namespace fs = std::filesystem;

class File : public testing::Test {
protected:
    fs::path folder = fs::temp_directory_path() / ("wobble_file_" + std::to_string(::getpid()));
    void SetUp() override { fs::create_directories(folder); }
    void TearDown() override { fs::remove_all(folder); }
    std::size_t entries() const { return std::distance(fs::directory_iterator(folder), fs::directory_iterator()); }
};

TEST_F(File, AppearsWholeOrNotAtAll) {
    const fs::path file = folder / "a.csv";
    {
        auto output = OutputFile::create(file);
        ASSERT_TRUE(output);
        output.value().write("one\n");
        EXPECT_FALSE(fs::exists(file));
        ASSERT_TRUE(output.value().commit());
        EXPECT_EQ(read_file(file, 100).value(), "one\n");
    }
    {
        auto abandoned = OutputFile::create(file);
        ASSERT_TRUE(abandoned);
        abandoned.value().write("two\n");
    }
    EXPECT_EQ(read_file(file, 100).value(), "one\n");
    EXPECT_EQ(entries(), 1u);
}

TEST_F(File, AFullDiskIsTold) {
    auto output = OutputFile::create("/dev/full");
    ASSERT_TRUE(output) << output.message();
    output.value().write("something");
    const auto committed = output.value().commit();
    ASSERT_FALSE(committed);
    EXPECT_NE(committed.message().find("/dev/full"), std::string::npos);
    EXPECT_NE(committed.message().find("No space left"), std::string::npos) << committed.message();
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(File, ALinkKeepsPointingWhereItDid) {
    std::ofstream(folder / "real") << "old";
    fs::create_symlink(folder / "real", folder / "link");
    auto output = OutputFile::create(folder / "link");
    ASSERT_TRUE(output);
    output.value().write("new");
    ASSERT_TRUE(output.value().commit());
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(read_file(folder / "real", 100).value(), "new");
}

TEST_F(File, PlacesThatCannotBeWrittenAreNamed) {
    for (const fs::path& bad : {folder, folder / "none/x.csv", fs::path()}) {
        const auto output = OutputFile::create(bad);
        ASSERT_FALSE(output) << bad;
        EXPECT_NE(output.message().find(bad.string()), std::string::npos) << output.message();
    }
}

TEST(Spelling, FindsSlipsAndOnlySlips) {
    const std::vector<std::string> known{"stiffness", "damping", "density", "run", "record"};
    EXPECT_EQ(nearest_spelling("stifness", known), "stiffness");
    EXPECT_EQ(nearest_spelling("dampnig", known), "damping");
    EXPECT_EQ(nearest_spelling("RECORD", known), "record");
    EXPECT_EQ(nearest_spelling("rnu", known), "run");
    EXPECT_EQ(nearest_spelling("zebra", known), "");
    EXPECT_EQ(nearest_spelling("", known), "");
    EXPECT_EQ(did_you_mean("recrod", known), "; did you mean \"record\"?");
}

TEST(Spelling, WhatIsQuotedStaysOnOneLine) {
    EXPECT_EQ(in_quotes("a\nb\x1b[31m"), "\"a?b?[31m\"");
    EXPECT_LT(in_quotes(std::string(100000, 'x')).size(), 300u);
}

}  // namespace
}  // namespace wobble
