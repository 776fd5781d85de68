// SPDX-License-Identifier: GPL-3.0-or-later
// lambdascope-libsvm: solves SVMs by the library LIBSVM for another program, which can end this one at any time; see
// LibsvmSolver.
#include "core/common/helper_channel.h"
#include "core/svm/rivals/libsvm_messages.h"

#include <libsvm/svm.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace {

using namespace lambdascope;
using svm::LibsvmAnswer;
using svm::LibsvmEntry;
using svm::LibsvmProblem;
using svm::LibsvmRequest;
using svm::TaskKind;

static_assert(sizeof(LibsvmEntry) == sizeof(svm_node) && offsetof(LibsvmEntry, index) == offsetof(svm_node, index) &&
              offsetof(LibsvmEntry, value) == offsetof(svm_node, value));

/// Pairs that the library has moved, which it tells in its log alone.
std::int64_t iterations = 0;

void readLog(const char* text) {
    constexpr const char* kKey = "#iter = ";
    if (const char* at = std::strstr(text, kKey)) {
        iterations += std::atoll(at + std::strlen(kKey));
    }
}

/// The samples, and what they are to be told apart by or fitted to, in the library's form.
class Samples {
  public:
    Samples(const HelperChannel& channel, const LibsvmProblem& about) : m_y(about.rows), m_nodes(about.entries) {
        channel.receive(m_y.data(), m_y.size() * sizeof(double));
        channel.receive(m_nodes.data(), m_nodes.size() * sizeof(svm_node));
        m_rows.reserve(about.rows);
        bool isAtBegin = true;
        for (svm_node& node : m_nodes) {
            if (isAtBegin) {
                m_rows.push_back(&node);
            }
            isAtBegin = node.index == LibsvmEntry::kEnd;
        }
        if (m_rows.size() != about.rows || !isAtBegin) {
            HelperChannel::leave();
        }
    }
    [[nodiscard]] svm_problem problem() { return {static_cast<int>(m_rows.size()), m_y.data(), m_rows.data()}; }

  private:
    std::vector<double> m_y;
    std::vector<svm_node> m_nodes;
    std::vector<svm_node*> m_rows;
};

/// With the weights of both classes, which must outlive it.
svm_parameter parameterOf(const LibsvmProblem& about, int (&labels)[2], double (&weights)[2]) {
    svm_parameter parameter{};
    parameter.svm_type = about.task == TaskKind::Classification ? C_SVC
                         : about.task == TaskKind::Regression   ? EPSILON_SVR
                                                                : ONE_CLASS;
    parameter.kernel_type = about.kernel == KernelKind::Linear ? LINEAR : about.kernel == KernelKind::Rbf ? RBF : POLY;
    parameter.gamma = about.gamma;
    parameter.degree = about.degree;
    parameter.coef0 = about.offset;
    parameter.p = about.epsilon;
    parameter.cache_size = about.cacheMegabytes;
    parameter.shrinking = about.shrinks ? 1 : 0;
    if (about.task == TaskKind::Classification) {
        parameter.nr_weight = 2;
        parameter.weight_label = labels;
        parameter.weight = weights;
    }
    return parameter;
}

struct FreeModel {
    void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};

LibsvmAnswer answerOf(const svm_problem& problem, const svm_parameter& parameter) {
    LibsvmAnswer answer;
    if (const char* complaint = svm_check_parameter(&problem, &parameter)) {
        answer.failure = complaint;
        return answer;
    }
    iterations = 0;
    const std::unique_ptr<svm_model, FreeModel> model(svm_train(&problem, &parameter));
    // Of two classes f > 0 stands for the one that the library met first.
    const double sign = parameter.svm_type == C_SVC && model->label[0] < 0 ? -1 : 1;
    answer.coefficients.assign(static_cast<std::size_t>(problem.l), 0);
    for (int k = 0; k < model->l; ++k) {
        answer.coefficients[static_cast<std::size_t>(model->sv_indices[k] - 1)] = sign * model->sv_coef[0][k];
    }
    answer.iterations = iterations;
    const int variables = parameter.svm_type == EPSILON_SVR ? 2 * problem.l : problem.l;
    answer.isAtLimit = iterations >= std::max(10'000'000, variables > INT_MAX / 100 ? INT_MAX : 100 * variables);
    return answer;
}

} // namespace

int main(int count, char**) {
    if (count != 1 || !HelperChannel::isThere()) {
        std::fprintf(stderr, "lambdascope-libsvm: other programs of Lambdascope start this one to run LIBSVM\n");
        return 2;
    }
    const HelperChannel channel;
    svm_set_print_string_function(readLog);
    const auto guarded = [&channel](auto work) {
        try {
            work();
        } catch (const std::bad_alloc&) {
            channel.sendMessage(LibsvmAnswer{"it needs more memory than there is", {}, 0, false});
        }
    };
    const auto about = channel.receiveMessage<LibsvmProblem>();
    std::unique_ptr<Samples> samples;
    guarded([&] {
        samples = std::make_unique<Samples>(channel, about);
        channel.sendMessage(LibsvmAnswer());
    });
    int labels[] = {1, -1};
    double weights[] = {about.positiveWeight, about.negativeWeight};
    svm_parameter parameter = parameterOf(about, labels, weights);
    for (;;) {
        const auto request = channel.receiveMessage<LibsvmRequest>();
        parameter.C = request.c;
        parameter.nu = request.nu;
        parameter.eps = request.tolerance;
        guarded([&] { channel.sendMessage(answerOf(samples->problem(), parameter)); });
    }
}
