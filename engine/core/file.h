#pragma once
// Reading and writing whole files without surprises: nothing here hangs on a pipe, swallows a full disk or leaves half a file.
#include "engine/core/result.h"

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace wobble {

// Refuses with a sentence: missing, a folder, not an ordinary file (pipe, device), empty, larger than `max_bytes`, unreadable.
Result<void> check_readable(const std::filesystem::path&, std::size_t max_bytes);
Result<std::string> read_file(const std::filesystem::path&, std::size_t max_bytes);

// Writes beside the wanted file and renames at the end, so that readers see the old content or the new, never a part.
// Devices (/dev/stdout) are written directly.
class OutputFile {
public:
    static Result<OutputFile> create(const std::filesystem::path&);
    OutputFile(OutputFile&&) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile();  // without commit(): removes what was written

    void write(std::string_view);  // failures are remembered and told by commit()
    bool failed() const { return failed_; }
    Result<void> commit();
    bool lacks_room() const;  // that is why it failed: the disk or the quota is full, or files may not be so large

private:
    OutputFile() = default;
    std::FILE* stream_ = nullptr;
    std::filesystem::path target_, temporary_;  // temporary_ empty: written directly
    bool failed_ = false;
    int error_ = 0;
};

}  // namespace wobble
