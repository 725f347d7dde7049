import type { page as en } from "../en/page.ts";

export const page = {
  commands: "Comandos",
  skip: "Ir para o conteúdo",
  unsafe:
    "Sem sandbox: o código gerado roda com os seus próprios direitos nesta máquina e pode ler os seus arquivos.",
  noSandbox: "O código gerado não pode rodar nesta máquina. Execute “treadle doctor”.",
  nothingHere: "Não há nada neste endereço",
  maybeDeleted: "O projeto pode ter sido excluído, ou o endereço está incompleto.",
  stopped: "Esta página parou",
  stoppedSafe: (why) => `${why}. Seu projeto está seguro no servidor; recarregue a página.`,
  missing:
    "Esta parte do Treadle não pôde ser carregada: o servidor não responde, ou já tem outra versão. Nada do seu projeto se perdeu.",
  tryAgain: "Tentar de novo",
  reload: "Recarregar a página",
} satisfies typeof en;
