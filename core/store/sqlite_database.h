// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

struct sqlite3;
struct sqlite3_stmt;

namespace lambdascope {

/// What SQLite says when a call fails. Stays inside core/store: RunLibrary turns it into an Error.
class SqliteFailure : public std::runtime_error {
  public:
    SqliteFailure(int code, const std::string& message) : std::runtime_error(message), m_code(code) {}
    [[nodiscard]] int code() const { return m_code; } ///< primary SQLite result code

  private:
    int m_code;
};

/// A prepared statement. Parameters count from 1, columns from 0.
class SqliteStatement {
  public:
    SqliteStatement& bind(int parameter, std::int64_t value);
    SqliteStatement& bind(int parameter, double value);
    SqliteStatement& bind(int parameter, std::string_view text);
    SqliteStatement& bindBlob(int parameter, const void* data, std::size_t bytes);
    SqliteStatement& bindNull(int parameter);

    /// Goes to the next row; false at the end.
    bool step();
    /// Runs a statement that gives no rows, and readies it for the next parameters.
    void run();

    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string text(int column) const;
    [[nodiscard]] std::string blob(int column) const;
    [[nodiscard]] bool isNull(int column) const;

  private:
    friend class SqliteDatabase;
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    SqliteStatement(sqlite3* database, sqlite3_stmt* statement) : m_database(database), m_statement(statement) {}
    void check(int code) const;

    sqlite3* m_database;
    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
};

/// An open database file. Every function throws SqliteFailure. Waits up to five seconds for other processes.
class SqliteDatabase {
  public:
    /// Opens the file, which SQLite makes at the first write when it is absent.
    explicit SqliteDatabase(const std::filesystem::path& path);
    ~SqliteDatabase();
    SqliteDatabase(const SqliteDatabase&) = delete;
    SqliteDatabase& operator=(const SqliteDatabase&) = delete;

    void execute(const char* sql);
    [[nodiscard]] SqliteStatement prepare(std::string_view sql);
    [[nodiscard]] std::int64_t lastInsertedRow() const;
    [[nodiscard]] int changedRows() const;

    /// Whether the file was removed, renamed or replaced since it was opened. Writing would still succeed.
    [[nodiscard]] bool hasMoved() const;
    /// Copies all to a new file; also works when this one was removed.
    void copyTo(const std::filesystem::path& path);

    /// Runs `work` in one transaction that has the write lock from its start; rolls back when it throws.
    void transaction(const std::function<void()>& work);

  private:
    sqlite3* m_database = nullptr;
};

} // namespace lambdascope
