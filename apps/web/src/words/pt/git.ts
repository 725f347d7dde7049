import type { git as en } from "../en/git.ts";
import { counted } from "./counted.ts";

export const git = {
  title: "Repositório git",
  about:
    "O projeto é enviado a um repositório seu, um commit por rodada com o veredito, e o que outros enviam para lá é trazido.",
  existing: "Um repositório que já existe",
  branch: "Branch",
  choose: "Usar este",
  create: "Um repositório novo",
  forge: "Onde",
  server: "Endereço do servidor",
  ownServer: "Endereço de um servidor seu (opcional)",
  serverPlaceholder: "https://git.example.com",
  name: "Nome do repositório",
  owner: "Organização ou grupo (opcional)",
  token: "Token",
  tokenNote:
    "Precisa poder criar repositórios. Fica no servidor do Treadle, só para esse host, e não é dado a nenhuma sandbox.",
  private: "Privado",
  createAndPush: "Criar e enviar",
  login: "Acesso",
  kept: "Fica no servidor do Treadle, só para esse host, e não é dado a nenhuma sandbox.",
  signIn: "Usar este acesso",
  sshKey: "A chave do próprio Treadle: adicione-a à sua conta lá, se o servidor não conhece a sua.",
  copyKey: "Copiar a chave",
  knownAs: (user) => `O acesso de ${user} está guardado para ele.`,
  forgetLogin: "Esquecer o acesso",
  onBranch: (branch) => `Branch ${branch}`,
  push: "Enviar",
  pull: "Trazer",
  squash: "Enviar um só commit para todas as rodadas",
  doing: { push: "Enviando…", pull: "Trazendo…", forget: "Desconectando…", create: "Criando…" },
  pushed: (amount) =>
    amount === 0
      ? "Já estava tudo lá."
      : counted(amount, { one: "# commit enviado.", other: "# commits enviados." }),
  current: "Não havia nada para trazer.",
  pulled: (amount) =>
    amount === 0
      ? "Trazido. Nenhum arquivo mudou."
      : counted(amount, {
          one: "Trazido: # arquivo mudou.",
          other: "Trazido: # arquivos mudaram.",
        }),
  changedAgain: "Um dos lados mudou nesse meio-tempo. Nada foi adotado; veja de novo.",
  conflicts: "Arquivos que os dois lados mudaram",
  conflictsAbout:
    "Os dois lados mudaram estes arquivos. Nada foi alterado ainda: escolha para cada um.",
  ours: "O meu",
  theirs: "O deles",
  takeOurs: "Usar o meu",
  takeTheirs: "Usar o deles",
  takeBoth: "Editar os dois",
  bothOf: (name) => `Os dois textos de ${name}`,
  marks: "Ainda há marcas (<<<<<<<, >>>>>>>). Junte os dois textos e tire-as.",
  notThere: "(não existe)",
  settle: "Trazer assim",
  stillOpen: (amount) =>
    counted(amount, {
      one: "# arquivo ainda sem resposta.",
      other: "# arquivos ainda sem resposta.",
    }),
  forget: "Desconectar",
  forgetAbout: "O Treadle esquece o repositório. Nada muda lá.",
  folder: "Uma pasta no seu disco",
  folderAbout:
    "Enquanto isto roda em um terminal, o que muda na pasta vem para cá, e o que muda aqui vai para lá. Onde ambos mudaram um arquivo, os dois textos ficam.",
  copyCommand: "Copiar o comando",
} satisfies typeof en;
