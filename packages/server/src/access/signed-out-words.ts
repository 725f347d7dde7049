import { pickLanguage } from "@treadle/common";

/**
 * The texts of the pages for people who are not signed in. `{code}` is replaced by `?token=`, `{address}` by the
 * server's address, and `{provider}` by the identity provider's name.
 */
const WORDS = {
  en: {
    join: "Open the project",
    joinSignIn: "Sign in to open it.",
    joinAs: {
      viewer: "You may see a project.",
      commenter: "You may see a project and comment on it.",
      editor: "You may see a project and change it.",
    },
    aboutAccounts: "Sign in with your password or a passkey, or open a link that you were given.",
    email: "Email address",
    password: "Password",
    code: "Code of your authenticator app or a recovery code, if you use them",
    name: "Your name",
    newPassword: "A password, if you want one (10 characters or more)",
    invited: "You are invited",
    aboutPreview:
      "Only people who may see its project see this preview. Sign in to Treadle and open it from there.",
    linkUsed: "This link was used already, or has expired. Ask for another.",
    signedOut: "Not signed in",
    about: "This page is not signed in. Open the address that Treadle printed when it started.",
    wrong: "That token is not this server’s.",
    paste: "Or paste its token, the part behind {code}",
    signIn: "Sign in",
    signInWith: "Sign in with {provider}",
    signInWithPasskey: "Sign in with a passkey",
    notHere: "This page cannot be opened here",
    otherHost: "This address is not Treadle's own. Open it as {address}.",
    otherOrigin: "A page of another origin may not ask this.",
  },
  "zh-CN": {
    join: "打开项目",
    joinSignIn: "请登录以打开。",
    joinAs: {
      viewer: "您可以查看一个项目。",
      commenter: "您可以查看并评论一个项目。",
      editor: "您可以查看并更改一个项目。",
    },
    aboutAccounts: "请使用密码或通行密钥登录，或打开您收到的链接。",
    email: "电子邮箱",
    password: "密码",
    code: "身份验证器应用的验证码或恢复代码（如已启用）",
    name: "您的姓名",
    newPassword: "密码（可选，至少 10 个字符）",
    invited: "您已受邀",
    aboutPreview: "只有可以查看该项目的人才能看到此预览。请登录 Treadle 并从那里打开。",
    linkUsed: "此链接已被使用或已过期。请索取新的链接。",
    signedOut: "尚未登录",
    about: "此页面尚未登录。请打开 Treadle 启动时显示的地址。",
    wrong: "该令牌不属于此服务器。",
    paste: "或粘贴令牌，即 {code} 后面的部分",
    signIn: "登录",
    signInWith: "使用 {provider} 登录",
    signInWithPasskey: "使用通行密钥登录",
    notHere: "无法在此打开此页面",
    otherHost: "此地址不是 Treadle 自己的地址。请以 {address} 打开。",
    otherOrigin: "其他来源的页面不能请求此内容。",
  },
  ja: {
    join: "プロジェクトを開く",
    joinSignIn: "サインインして開いてください。",
    joinAs: {
      viewer: "プロジェクトを閲覧できます。",
      commenter: "プロジェクトを閲覧し、コメントできます。",
      editor: "プロジェクトを閲覧し、変更できます。",
    },
    aboutAccounts: "パスワードかパスキーでサインインするか、受け取ったリンクを開いてください。",
    email: "メールアドレス",
    password: "パスワード",
    code: "認証アプリのコードまたは回復コード（使用している場合）",
    name: "お名前",
    newPassword: "パスワード（任意、10 文字以上）",
    invited: "招待されています",
    aboutPreview:
      "このプレビューは、プロジェクトを閲覧できる人だけに表示されます。Treadle にサインインして、そこから開いてください。",
    linkUsed: "このリンクは使用済みか、有効期限が切れています。新しいリンクを依頼してください。",
    signedOut: "サインインしていません",
    about:
      "このページはサインインしていません。Treadle の起動時に表示されたアドレスを開いてください。",
    wrong: "そのトークンはこのサーバーのものではありません。",
    paste: "または、トークン（{code} の後の部分）を貼り付けてください",
    signIn: "サインイン",
    signInWith: "{provider} でサインイン",
    signInWithPasskey: "パスキーでサインイン",
    notHere: "このページはここでは開けません",
    otherHost: "このアドレスは Treadle のものではありません。{address} で開いてください。",
    otherOrigin: "別のオリジンのページからは要求できません。",
  },
  "pt-BR": {
    join: "Abrir o projeto",
    joinSignIn: "Entre para abri-lo.",
    joinAs: {
      viewer: "Você pode ver um projeto.",
      commenter: "Você pode ver um projeto e comentá-lo.",
      editor: "Você pode ver um projeto e alterá-lo.",
    },
    aboutAccounts: "Entre com sua senha ou uma chave de acesso, ou abra um link que você recebeu.",
    email: "E-mail",
    password: "Senha",
    code: "Código do aplicativo autenticador ou de recuperação, se você usa",
    name: "Seu nome",
    newPassword: "Uma senha, se quiser (10 caracteres ou mais)",
    invited: "Você foi convidado",
    aboutPreview: "Só quem pode ver o projeto vê esta prévia. Entre no Treadle e abra-a por lá.",
    linkUsed: "Este link já foi usado ou expirou. Peça outro.",
    signedOut: "Sem acesso",
    about: "Esta página está sem acesso. Abra o endereço que o Treadle mostrou ao iniciar.",
    wrong: "Esse token não é deste servidor.",
    paste: "Ou cole o token, a parte depois de {code}",
    signIn: "Entrar",
    signInWith: "Entrar com {provider}",
    signInWithPasskey: "Entrar com uma chave de acesso",
    notHere: "Esta página não pode ser aberta aqui",
    otherHost: "Este endereço não é do Treadle. Abra-o como {address}.",
    otherOrigin: "Uma página de outra origem não pode pedir isto.",
  },
};

type Tag = keyof typeof WORDS;
export type SignedOutWords = (typeof WORDS)["en"];

const tags = Object.keys(WORDS) as Tag[];

/** The first language of `Accept-Language` that is available, or English. */
export function signedOutWords(accepted: string | undefined): { tag: Tag; words: SignedOutWords } {
  const tag = pickLanguage(accepted, tags) ?? "en";
  return { tag, words: WORDS[tag] };
}
