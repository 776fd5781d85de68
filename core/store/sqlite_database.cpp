// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/sqlite_database.h"

#include <sqlite3.h>

namespace lambdascope {

namespace {

constexpr int kBusyMilliseconds = 5000;

[[noreturn]] void fail(sqlite3* database, int code) {
    const std::string message = database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(code);
    throw SqliteFailure(code & 0xff, message);
}

} // namespace

void SqliteStatement::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

void SqliteStatement::check(int code) const {
    if (code != SQLITE_OK) {
        fail(m_database, code);
    }
}

SqliteStatement& SqliteStatement::bind(int parameter, std::int64_t value) {
    check(sqlite3_bind_int64(m_statement.get(), parameter, value));
    return *this;
}

SqliteStatement& SqliteStatement::bind(int parameter, double value) {
    check(sqlite3_bind_double(m_statement.get(), parameter, value));
    return *this;
}

SqliteStatement& SqliteStatement::bind(int parameter, std::string_view text) {
    check(sqlite3_bind_text64(m_statement.get(), parameter, text.data() != nullptr ? text.data() : "", text.size(),
                              SQLITE_TRANSIENT, SQLITE_UTF8));
    return *this;
}

SqliteStatement& SqliteStatement::bindBlob(int parameter, const void* data, std::size_t bytes) {
    check(sqlite3_bind_blob64(m_statement.get(), parameter, bytes > 0 ? data : "", bytes, SQLITE_TRANSIENT));
    return *this;
}

SqliteStatement& SqliteStatement::bindNull(int parameter) {
    check(sqlite3_bind_null(m_statement.get(), parameter));
    return *this;
}

bool SqliteStatement::step() {
    const int code = sqlite3_step(m_statement.get());
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        fail(m_database, code);
    }
    return code == SQLITE_ROW;
}

void SqliteStatement::run() {
    while (step()) {
    }
    check(sqlite3_reset(m_statement.get()));
}

std::int64_t SqliteStatement::integer(int column) const {
    return sqlite3_column_int64(m_statement.get(), column);
}

double SqliteStatement::real(int column) const {
    return sqlite3_column_double(m_statement.get(), column);
}

std::string SqliteStatement::text(int column) const {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(m_statement.get(), column));
    const int bytes = sqlite3_column_bytes(m_statement.get(), column);
    return text != nullptr ? std::string(text, static_cast<std::size_t>(bytes)) : std::string();
}

std::string SqliteStatement::blob(int column) const {
    const auto* data = static_cast<const char*>(sqlite3_column_blob(m_statement.get(), column));
    const int bytes = sqlite3_column_bytes(m_statement.get(), column);
    return data != nullptr ? std::string(data, static_cast<std::size_t>(bytes)) : std::string();
}

bool SqliteStatement::isNull(int column) const {
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
}

SqliteDatabase::SqliteDatabase(const std::filesystem::path& path) {
    const int code = sqlite3_open_v2(path.c_str(), &m_database,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
    if (code != SQLITE_OK) {
        const std::string message = m_database != nullptr ? sqlite3_errmsg(m_database) : sqlite3_errstr(code);
        sqlite3_close(m_database);
        throw SqliteFailure(code & 0xff, message);
    }
    sqlite3_busy_timeout(m_database, kBusyMilliseconds);
}

SqliteDatabase::~SqliteDatabase() {
    sqlite3_close_v2(m_database);
}

void SqliteDatabase::execute(const char* sql) {
    const int code = sqlite3_exec(m_database, sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) {
        fail(m_database, code);
    }
}

SqliteStatement SqliteDatabase::prepare(std::string_view sql) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v2(m_database, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
    if (code != SQLITE_OK) {
        fail(m_database, code);
    }
    return {m_database, statement};
}

std::int64_t SqliteDatabase::lastInsertedRow() const {
    return sqlite3_last_insert_rowid(m_database);
}

int SqliteDatabase::changedRows() const {
    return sqlite3_changes(m_database);
}

bool SqliteDatabase::hasMoved() const {
    int hasMoved = 0;
    const int code = sqlite3_file_control(m_database, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved);
    return code == SQLITE_OK && hasMoved != 0;
}

void SqliteDatabase::copyTo(const std::filesystem::path& path) {
    prepare("VACUUM INTO ?").bind(1, path.string()).run();
}

void SqliteDatabase::transaction(const std::function<void()>& work) {
    execute("BEGIN IMMEDIATE");
    try {
        work();
        execute("COMMIT");
    } catch (...) {
        // SQLite may have rolled back by itself already; that is no further failure.
        sqlite3_exec(m_database, "ROLLBACK", nullptr, nullptr, nullptr);
        throw;
    }
}

} // namespace lambdascope
