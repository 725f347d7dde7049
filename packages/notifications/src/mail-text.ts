import type { Notification, Verdict } from "@treadle/protocol";

export const MAIL_LANGUAGES = ["en", "zh", "ja", "pt"] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/** A subject for each kind of news, with the project's name in place of `{project}`, and the verdicts as the page names them. */
const WORDS: Record<
  MailLanguage,
  {
    subjects: Record<Notification["event"], string>;
    verdict: string;
    verdicts: Record<Verdict, string>;
    open: string;
  }
> = {
  en: {
    subjects: {
      "turn-ended": "{project}: a turn has ended",
      "turn-asks": "{project}: a question for you",
      "turn-failed": "{project}: a turn has failed",
      "review-asked": "{project}: somebody asks for your approval",
      test: "Treadle can send you mail",
    },
    verdict: "Verdict: {verdict}",
    verdicts: {
      verified: "Verified",
      runs: "Runs",
      failed: "Failed",
      unverified: "Not verified",
    },
    open: "Open it: {address}",
  },
  zh: {
    subjects: {
      "turn-ended": "{project}：一轮已结束",
      "turn-asks": "{project}：有问题等你回答",
      "turn-failed": "{project}：一轮失败了",
      "review-asked": "{project}：有人请你批准",
      test: "Treadle 可以给你发送邮件",
    },
    verdict: "结论：{verdict}",
    verdicts: { verified: "已验证", runs: "可运行", failed: "失败", unverified: "未验证" },
    open: "打开：{address}",
  },
  ja: {
    subjects: {
      "turn-ended": "{project}：ターンが終わりました",
      "turn-asks": "{project}：質問があります",
      "turn-failed": "{project}：ターンが失敗しました",
      "review-asked": "{project}：承認の依頼が届いています",
      test: "Treadle からメールを送信できます",
    },
    verdict: "判定：{verdict}",
    verdicts: { verified: "検証済み", runs: "動作します", failed: "失敗", unverified: "未検証" },
    open: "開く：{address}",
  },
  pt: {
    subjects: {
      "turn-ended": "{project}: uma rodada terminou",
      "turn-asks": "{project}: uma pergunta para você",
      "turn-failed": "{project}: uma rodada falhou",
      "review-asked": "{project}: alguém pede a sua aprovação",
      test: "O Treadle consegue enviar e-mails para você",
    },
    verdict: "Veredito: {verdict}",
    verdicts: {
      verified: "Verificado",
      runs: "Funciona",
      failed: "Falhou",
      unverified: "Não verificado",
    },
    open: "Abrir: {address}",
  },
};

/** Subject and body of the mail for a notification. A name's line breaks become spaces. */
export function mailText(
  { event, project, verdict, address }: Notification,
  language: MailLanguage,
): { subject: string; text: string } {
  const words = WORDS[language];
  const name = (project?.name ?? "").replace(/\s+/g, " ");
  const subject = words.subjects[event].replace("{project}", () => name);
  const lines = [
    subject,
    ...(verdict ? [words.verdict.replace("{verdict}", () => words.verdicts[verdict])] : []),
    words.open.replace("{address}", () => address),
  ];
  return { subject, text: `${lines.join("\n\n")}\n` };
}
