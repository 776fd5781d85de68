// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_query.h"

#include "core/config/field.h"
#include "core/store/run_library.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <optional>
#include <utility>

namespace lambdascope {

namespace {

constexpr std::int64_t kDay = std::int64_t{24} * 3600;

/// ASCII and the letters of Western Europe, which is what names of data and people are mostly made of.
std::string lowered(std::string_view text) {
    std::string low(text);
    for (std::size_t i = 0; i < low.size(); ++i) {
        auto byte = static_cast<unsigned char>(low[i]);
        const bool isLatin = i > 0 && static_cast<unsigned char>(low[i - 1]) == 0xC3U && byte >= 0x80U &&
                             byte <= 0x9EU && byte != 0x97U; // UTF-8 of À … Þ but ×
        if ((byte >= 'A' && byte <= 'Z') || isLatin) {
            byte = static_cast<unsigned char>(byte + 0x20U);
        }
        low[i] = static_cast<char>(byte);
    }
    return low;
}

bool contains(const std::string& text, const std::string& part) {
    return lowered(text).find(part) != std::string::npos;
}

bool begins(const std::string& text, const std::string& start) {
    return lowered(text).starts_with(start);
}

template <class Texts>
bool anyBegins(const Texts& texts, const std::string& start) {
    return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) { return begins(text, start); });
}

const std::vector<std::string>& stateWords() {
    static const std::vector<std::string> words = {"running", "finished", "done", "stopped", "interrupted", "failed"};
    return words;
}

const std::vector<std::string>& isWords() {
    static const std::vector<std::string> words = {"starred", "tagged", "noted"};
    return words;
}

bool isFinished(const LibraryExperiment& experiment) {
    return std::all_of(experiment.runs.begin(), experiment.runs.end(),
                       [](const LibraryRun& run) { return run.state == RunRecord::State::Finished; });
}

bool hasState(const LibraryExperiment& experiment, const std::string& start) {
    if (std::string_view("finished").starts_with(start) || std::string_view("done").starts_with(start)) {
        return isFinished(experiment);
    }
    return std::any_of(experiment.runs.begin(), experiment.runs.end(),
                       [&](const LibraryRun& run) { return recordStateName(run.state).starts_with(start); });
}

bool hasWord(const LibraryExperiment& experiment, const std::string& word) {
    for (const std::string* text : {&experiment.name, &experiment.family, &experiment.source, &experiment.notes}) {
        if (contains(*text, word)) {
            return true;
        }
    }
    const auto has = [&](const std::string& text) { return contains(text, word); };
    return std::any_of(experiment.tags.begin(), experiment.tags.end(), has) ||
           std::any_of(experiment.bounds.begin(), experiment.bounds.end(), has) ||
           std::any_of(experiment.runs.begin(), experiment.runs.end(),
                       [&](const LibraryRun& run) {
                           return has(run.lane) || (run.state != RunRecord::State::Finished &&
                                                    has(std::string(recordStateName(run.state))));
                       }) ||
           (isFinished(experiment) && has("finished"));
}

std::string utcText(std::int64_t seconds) {
    const auto time = static_cast<std::time_t>(seconds);
    std::tm parts{};
    gmtime_r(&time, &parts);
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

/// "12h", "3d", "2w": so many seconds.
std::optional<std::int64_t> durationOf(std::string_view text) {
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc() || count < 0 || count > 100'000 || end + 1 != text.data() + text.size()) {
        return std::nullopt;
    }
    switch (*end) {
    case 'h': return count * 3600;
    case 'd': return count * kDay;
    case 'w': return count * 7 * kDay;
    default: return std::nullopt;
    }
}

/// "2031", "2031-04" or "2031-04-05", which compare as text with the times of experiments.
bool isDate(std::string_view text) {
    constexpr std::string_view kShape = "dddd-dd-dd";
    if (text.size() != 4 && text.size() != 7 && text.size() != 10) {
        return false;
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isDigit = text[i] >= '0' && text[i] <= '9';
        if (kShape[i] == 'd' ? !isDigit : text[i] != '-') {
            return false;
        }
    }
    const auto within = [&](std::size_t at, const char* least, const char* most) {
        return text.size() < at + 2 || (text.substr(at, 2) >= least && text.substr(at, 2) <= most);
    };
    return within(5, "01", "12") && within(8, "01", "31");
}

std::optional<std::string> timeOf(const std::string& word, std::int64_t now) {
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 3> kSpans = {
        {{"week", 7 * kDay}, {"month", 30 * kDay}, {"year", 365 * kDay}}};
    for (const auto& [name, span] : kSpans) {
        if (word == name) {
            return utcText(now - span);
        }
    }
    if (word == "today" || word == "yesterday") {
        return utcText(now - now % kDay - (word == "today" ? 0 : kDay));
    }
    if (const auto span = durationOf(word)) {
        return utcText(now - *span);
    }
    return isDate(word) ? std::optional(word) : std::nullopt;
}

std::string listOf(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

} // namespace

class RunQuery::Parser {
  public:
    Parser(std::string_view text, std::int64_t now) : m_text(text), m_now(now) {}

    Result<RunQuery> parse() {
        while (m_at < m_text.size()) {
            if (m_text[m_at] == ' ' || m_text[m_at] == '\t') {
                ++m_at;
            } else {
                takeTerm();
            }
        }
        if (!m_faults.empty()) {
            Error error = singleFault(ErrorCode::BadUsage, m_faults.front());
            error.faults = std::move(m_faults);
            return Failure{std::move(error)};
        }
        return std::move(m_query);
    }

  private:
    /// Up to a blank, or one of `ends`, outside of quotes.
    std::string takeText(std::string_view ends) {
        std::string text;
        bool isQuoted = false;
        const std::size_t start = m_at;
        for (; m_at < m_text.size(); ++m_at) {
            const char c = m_text[m_at];
            if (c == '"') {
                isQuoted = !isQuoted;
                m_hasQuotes = true;
            } else if (!isQuoted && (c == ' ' || c == '\t' || ends.find(c) != std::string_view::npos)) {
                break;
            } else {
                text += c;
            }
        }
        if (isQuoted) {
            fault(std::string(m_text.substr(start)), "a quote is not closed", "Add the second \" where the text ends.");
        }
        return lowered(text);
    }

    void takeTerm() {
        Condition condition;
        if (m_text[m_at] == '-' && m_at + 1 < m_text.size() && m_text[m_at + 1] != ' ') {
            condition.isTurned = true;
            ++m_at;
        }
        m_hasQuotes = false;
        const std::size_t start = m_at;
        std::string word = takeText(":");
        if (m_at >= m_text.size() || m_text[m_at] != ':' || m_hasQuotes) {
            if (!word.empty()) {
                condition.values = {std::move(word)};
                m_query.m_conditions.push_back(std::move(condition));
            } else if (m_at < m_text.size() && m_text[m_at] == ':') {
                ++m_at;
            }
            return;
        }
        ++m_at;
        takeValues(start, word, std::move(condition));
    }

    void takeValues(std::size_t start, const std::string& word, Condition condition) {
        std::vector<std::string> values;
        do {
            if (std::string value = takeText(","); !value.empty()) {
                values.push_back(std::move(value));
            }
        } while (m_at < m_text.size() && m_text[m_at] == ',' && ++m_at > 0);
        const auto key = std::find_if(kKeys.begin(), kKeys.end(), [&](const auto& each) { return each.first == word; });
        if (key == kKeys.end()) {
            std::vector<std::string> names;
            std::transform(kKeys.begin(), kKeys.end(), std::back_inserter(names),
                           [](const auto& each) { return std::string(each.first); });
            const auto guess = closestWord(word, names);
            fault(std::string(m_text.substr(start, m_at - start)), "there is no such key",
                  guess ? "Did you mean " + *guess + ":?"
                        : "The keys are " + listOf(names) + "; a word with a colon stands in quotes.");
            return;
        }
        condition.key = key->second;
        for (std::string& value : values) {
            if (auto checked = checkedValue(condition.key, word, value)) {
                condition.values.push_back(std::move(*checked));
            }
        }
        if (!condition.values.empty()) {
            m_query.m_conditions.push_back(std::move(condition));
        }
    }

    std::optional<std::string> checkedValue(Key key, const std::string& word, const std::string& value) {
        if (key == Key::Since || key == Key::Before) {
            auto time = timeOf(value, m_now);
            if (!time) {
                fault(word + ":" + value, "this is no time",
                      "Give today, yesterday, week, month, year, 12h, 3d, 2w or a date such as 2031-04-05.");
            }
            return time;
        }
        if (key == Key::State || key == Key::Is) {
            const std::vector<std::string>& words = key == Key::State ? stateWords() : isWords();
            if (!anyBegins(words, value)) {
                const auto guess = closestWord(value, words);
                fault(word + ":" + value, "there is no such value",
                      guess ? "Did you mean " + *guess + "?" : "Give one of " + listOf(words) + ".");
                return std::nullopt;
            }
        }
        return value;
    }

    void fault(std::string where, std::string message, std::string remedy) {
        m_faults.push_back({std::move(where), std::move(message), std::move(remedy), {}});
    }

    static constexpr std::array<std::pair<std::string_view, Key>, 11> kKeys = {{{"family", Key::Family},
                                                                                {"bound", Key::Bound},
                                                                                {"state", Key::State},
                                                                                {"since", Key::Since},
                                                                                {"before", Key::Before},
                                                                                {"data", Key::Data},
                                                                                {"name", Key::Name},
                                                                                {"lane", Key::Lane},
                                                                                {"tag", Key::Tag},
                                                                                {"note", Key::Note},
                                                                                {"is", Key::Is}}};

    std::string_view m_text;
    std::int64_t m_now;
    std::size_t m_at = 0;
    bool m_hasQuotes = false;
    RunQuery m_query;
    std::vector<Fault> m_faults;
};

Result<RunQuery> RunQuery::parse(std::string_view text, std::int64_t now) {
    return Parser(text, now).parse();
}

bool RunQuery::accepts(const LibraryExperiment& experiment) const {
    return std::all_of(m_conditions.begin(), m_conditions.end(),
                       [&](const Condition& condition) { return holds(condition, experiment) != condition.isTurned; });
}

bool RunQuery::holds(const Condition& condition, const LibraryExperiment& experiment) {
    return std::any_of(condition.values.begin(), condition.values.end(), [&](const std::string& value) {
        switch (condition.key) {
        case Key::Any: return hasWord(experiment, value);
        case Key::Family: return begins(experiment.family, value);
        case Key::Bound: return anyBegins(experiment.bounds, value);
        case Key::Tag: return anyBegins(experiment.tags, value);
        case Key::State: return hasState(experiment, value);
        case Key::Name: return contains(experiment.name, value);
        case Key::Data: return contains(experiment.source, value);
        case Key::Lane:
            return std::any_of(experiment.runs.begin(), experiment.runs.end(),
                               [&](const LibraryRun& run) { return contains(run.lane, value); });
        case Key::Note: return contains(experiment.notes, value);
        case Key::Since: return experiment.createdAt >= value;
        case Key::Before: return experiment.createdAt < value;
        case Key::Is:
            return (experiment.isStarred && std::string_view("starred").starts_with(value)) ||
                   (!experiment.tags.empty() && std::string_view("tagged").starts_with(value)) ||
                   (!experiment.notes.empty() && std::string_view("noted").starts_with(value));
        }
        return false;
    });
}

const char* RunQuery::help() {
    return "Words that a run has in its name, family, data, bounds, lanes, state, tags or notes, and conditions:\n"
           "family:metric bound:PGB tag:paper state:done (running, stopped, interrupted, failed) name:wine data:iris\n"
           "lane:naive note:slow since:week before:2031-04 (today, yesterday, month, year, 12h, 3d, 2w) is:starred.\n"
           "All have to hold; commas separate what may hold instead: state:failed,stopped. A - before one turns it\n"
           "round: -tag:old. Quotes keep blanks and colons together: \"toy:two-moons\".";
}

} // namespace lambdascope
