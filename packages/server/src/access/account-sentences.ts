type Value = string | number;

/** Written by `catalogues/write-values.ts` of the page from its catalogues. */
export const ACCOUNT_SENTENCES = {
  "zh-CN": {
    "too-many-tries": ({ minutes }: { minutes: Value }) =>
      `尝试次数过多。请在 ${minutes} 分钟后重试。`,
    "code-needed": () => "请同时输入身份验证器应用的验证码。",
    "wrong-code": () => "验证码错误或已被使用。",
    "wrong-password": () => "邮箱地址或密码错误。",
    "password-length": ({ least, most }: { least: Value; most: Value }) =>
      `密码长度须为 ${least} 到 ${most} 个字符。`,
    "email-taken": ({ email }: { email: Value }) => `邮箱地址 ${email} 已被使用。`,
    suspended: () => "您的账号已被停用。请联系管理员。",
    "link-used": () => "此链接已被使用或已过期。请索取新的链接。",
    "sign-in-again": () => "请输入当前密码，或先重新登录。",
    "oidc-expired": () => "此次登录耗时过长或已结束。请重新开始。",
    "oidc-refused": ({ provider }: { provider: Value }) => `${provider} 未允许您登录。`,
    "oidc-failed": ({ provider }: { provider: Value }) =>
      `无法验证 ${provider} 的响应。请重新开始；如仍失败，请联系此服务器的管理者。`,
    "oidc-unreachable": ({ provider }: { provider: Value }) =>
      `目前无法连接 ${provider}。请稍后再试。`,
    "not-admitted": () => "您的账号无权访问此服务器。请联系管理员。",
    "identity-taken": () => "该账号已与此处的其他人关联，或您的账号已关联另一个账号。",
    "session-old": () => "您登录已超过十分钟。请先重新登录。",
    "second-factor-missing": () =>
      "在此服务器上，使用密码登录还需要身份验证器应用，而您尚未设置。请使用通行密钥登录，或向管理员索取链接，然后在“我的账号”中进行设置。",
    "code-missing": () => "尚未设置身份验证器应用。请先进行设置。",
    "passkey-expired": () => "操作超时，或已经完成过。请重新开始。",
    "passkey-refused": () => "此处不接受该通行密钥。请使用其他通行密钥，或以其他方式登录。",
    "passkey-copied": () =>
      "该通行密钥似乎已被复制，因此未被接受。请以其他方式登录，在“我的账号”中移除它，并告知管理员。",
    "passkey-taken": () => "该通行密钥已在此处使用。",
  },
  ja: {
    "too-many-tries": ({ minutes }: { minutes: Value }) =>
      `試行回数が多すぎます。${minutes} 分後にもう一度お試しください。`,
    "code-needed": () => "認証アプリのコードも入力してください。",
    "wrong-code": () => "コードが正しくないか、既に使用されています。",
    "wrong-password": () => "メールアドレスまたはパスワードが正しくありません。",
    "password-length": ({ least, most }: { least: Value; most: Value }) =>
      `パスワードは ${least} 文字以上 ${most} 文字以下にしてください。`,
    "email-taken": ({ email }: { email: Value }) =>
      `メールアドレス ${email} は既に使われています。`,
    suspended: () => "アカウントは停止されています。管理者に連絡してください。",
    "link-used": () =>
      "このリンクは使用済みか、有効期限が切れています。新しいリンクを依頼してください。",
    "sign-in-again": () => "現在のパスワードを入力するか、もう一度サインインしてください。",
    "oidc-expired": () =>
      "このサインインは時間切れか、すでに完了しています。もう一度始めてください。",
    "oidc-refused": ({ provider }: { provider: Value }) =>
      `${provider} でサインインできませんでした。`,
    "oidc-failed": ({ provider }: { provider: Value }) =>
      `${provider} からの応答を検証できませんでした。もう一度始めてください。解決しない場合は、このサーバーの管理者に連絡してください。`,
    "oidc-unreachable": ({ provider }: { provider: Value }) =>
      `現在 ${provider} に接続できません。後でもう一度お試しください。`,
    "not-admitted": () =>
      "お使いのアカウントにはこのサーバーへのアクセス権がありません。管理者に連絡してください。",
    "identity-taken": () =>
      "そのアカウントはほかの人に接続されているか、あなたには別のアカウントが接続されています。",
    "session-old": () => "サインインから 10 分以上たっています。もう一度サインインしてください。",
    "second-factor-missing": () =>
      "このサーバーでは、パスワードに加えて認証アプリが必要ですが、まだ設定されていません。パスキーでサインインするか、管理者にリンクを依頼し、「マイアカウント」で設定してください。",
    "code-missing": () => "認証アプリがまだありません。先に設定してください。",
    "passkey-expired": () => "時間がかかりすぎたか、既に応答済みです。もう一度始めてください。",
    "passkey-refused": () =>
      "このパスキーはここでは使えません。別のパスキーを使うか、ほかの方法でサインインしてください。",
    "passkey-copied": () =>
      "このパスキーは複製された可能性があるため、受け付けられませんでした。ほかの方法でサインインし、「マイアカウント」で削除して、管理者に知らせてください。",
    "passkey-taken": () => "そのパスキーは既にここで使われています。",
  },
  "pt-BR": {
    "too-many-tries": ({ minutes }: { minutes: number }) =>
      `Tentativas demais. Tente de novo em ${Math.floor(Math.abs(minutes)) < 2 ? `${minutes.toLocaleString("pt-BR")} minuto` : `${minutes.toLocaleString("pt-BR")} minutos`}.`,
    "code-needed": () => "Informe também o código do seu aplicativo autenticador.",
    "wrong-code": () => "Esse código está errado ou já foi usado.",
    "wrong-password": () => "O endereço ou a senha está errado.",
    "password-length": ({ least, most }: { least: Value; most: Value }) =>
      `Uma senha tem de ${least} a ${most} caracteres.`,
    "email-taken": ({ email }: { email: Value }) => `O endereço ${email} já está em uso.`,
    suspended: () => "Sua conta está suspensa. Fale com um administrador.",
    "link-used": () => "Este link já foi usado ou expirou. Peça outro.",
    "sign-in-again": () => "Digite sua senha atual ou entre de novo primeiro.",
    "oidc-expired": () => "Este acesso demorou demais ou já foi concluído. Comece de novo.",
    "oidc-refused": ({ provider }: { provider: Value }) => `${provider} não confirmou seu acesso.`,
    "oidc-failed": ({ provider }: { provider: Value }) =>
      `Não foi possível verificar a resposta de ${provider}. Comece de novo; se não resolver, fale com quem administra este servidor.`,
    "oidc-unreachable": ({ provider }: { provider: Value }) =>
      `Não é possível acessar ${provider} agora. Tente mais tarde.`,
    "not-admitted": () => "Sua conta não tem acesso a este servidor. Fale com um administrador.",
    "identity-taken": () =>
      "Essa conta está conectada a outra pessoa aqui, ou a sua está conectada a outra conta.",
    "session-old": () => "Você entrou há mais de dez minutos. Entre de novo primeiro.",
    "second-factor-missing": () =>
      "Neste servidor, a senha exige também um aplicativo autenticador, e você não tem um. Entre com uma chave de acesso ou peça um link a um administrador; depois configure-o em Minha conta.",
    "code-missing": () => "Ainda não há um aplicativo autenticador. Configure-o primeiro.",
    "passkey-expired": () => "Demorou demais ou já foi respondido. Comece de novo.",
    "passkey-refused": () =>
      "Essa chave de acesso não é aceita aqui. Use outra ou entre de outra forma.",
    "passkey-copied": () =>
      "Esta chave de acesso parece ter sido copiada e por isso não foi aceita. Entre de outra forma, remova-a em Minha conta e avise um administrador.",
    "passkey-taken": () => "Essa chave de acesso já está em uso aqui.",
  },
};
