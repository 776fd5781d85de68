// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Workbench that tells what became of certificates.
#include "core/common/number_text.h"
#include "ui/windows/workbench.h"

namespace lambdascope {

namespace {

const QString certificateSource = QStringLiteral("certificate");

} // namespace

void Workbench::followCertificates() {
    connect(&m_certificates, &CertificateSession::written, this, &Workbench::noticeCertificate);
    connect(&m_certificates, &CertificateSession::checked, this, &Workbench::noticeFinding);
    connect(&m_certificates, &CertificateSession::failed, this,
            [this](const Error& error) { report(error, certificateSource); });
}

void Workbench::noticeCertificate(const RunCertificate& certificate) {
    m_certificate = certificate;
    const auto grouped = [](std::int64_t count) { return QString::fromStdString(groupedText(count)); };
    const QString unsure = certificate.unsure() == 0
                               ? QString()
                               : tr(", %1 of them perhaps too near their threshold").arg(grouped(certificate.unsure()));
    Notice notice{Severity::Information,
                  tr("The certificate of %1 decisions%2 is in %3. Whoever has the data checks it by: %4")
                      .arg(grouped(certificate.decided()), unsure, QString::fromStdString(certificate.folder.string()),
                           CertificateSession::checkCommand(certificate)),
                  {},
                  certificateSource};
    if (CertificateSession::canCheck()) {
        notice.actions = {tr("Check now")};
    }
    Q_EMIT noticed(notice);
}

bool Workbench::takeCertificateAction(const QString& source) {
    if (source != certificateSource) {
        return false;
    }
    if (m_certificates.work() == CertificateSession::Work::None && m_certificate) {
        m_certificates.check(*m_certificate);
        Q_EMIT noticed({Severity::Information,
                        tr("The checker proves the certificate in exact arithmetic."),
                        {},
                        certificateSource,
                        {tr("Stop")}});
    } else {
        m_certificates.stop();
    }
    return true;
}

void Workbench::noticeFinding(CertificateSession::Finding finding, const QString& words) {
    using Finding = CertificateSession::Finding;
    const auto say = [this](Severity severity, const QString& text) {
        Q_EMIT noticed({severity, text, {}, certificateSource});
    };
    switch (finding) {
    case Finding::Proven: return say(Severity::Information, tr("The certificate is proven: %1").arg(words));
    case Finding::NotProven: return say(Severity::Warning, tr("The certificate is not proven: %1").arg(words));
    case Finding::Fails: return say(Severity::Problem, tr("The certificate fails: %1").arg(words));
    case Finding::NotRun: return say(Severity::Warning, tr("The certificate was not checked: %1").arg(words));
    }
}

} // namespace lambdascope
