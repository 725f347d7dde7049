import type { home as en } from "../en/home.ts";

export const home = {
  heading: "O que vamos criar?",
  placeholder: "Um app de tarefas que lembra o que digitei…",
  sayFirst: "Diga primeiro o que criar, em uma frase ou mais.",
  noModel:
    "Ainda não há modelo para criar isto. Adicione a chave de um provedor, inicie um modelo local ou assista a uma criação gravada abaixo. Seu texto continua aqui.",
  starting: "Iniciando…",
  build: "Criar",
  examples: "Exemplos",
  recordedAbout:
    "A resposta do modelo vem de uma gravação. Os arquivos, a instalação, o servidor e as verificações são reais.",
  recorded: "Criações gravadas",
  recordedOnly: "Ainda sem modelo: assista a uma criação gravada",
  demos: {
    todo: {
      title: "Um app de tarefas",
      about:
        "React e Vite: tarefas que podem ser adicionadas, marcadas, editadas, excluídas e filtradas, e que continuam lá depois de recarregar.",
    },
    api: {
      title: "Uma pequena API",
      about:
        "Express e SQLite: listar, buscar, adicionar, alterar e excluir favoritos, com respostas que dizem o que estava errado.",
    },
    repair: {
      title: "Uma página com um erro, corrigida",
      about:
        "A primeira versão lança um erro ao ser exibida. O que a verificação viu volta para a gravação, que a corrige.",
    },
  },
  tryAgain: "Tentar de novo",
  open: "Abrir",
  folder: "pasta",
  archive: "ZIP",
  repository: "endereço git",
  chat: "chat exportado",
  chatAbout:
    "Um chat exportado pelo bolt.new ou bolt.diy (JSON), ou um registro exportado pelo Treadle (JSON Lines)",
  taken: "Importados",
  openNamed: (name) => `Abrir ${name}`,
  gitAddress: "Endereço de um repositório git",
  gitPlaceholder: "https://github.com/owner/name",
  gitTake: "Abrir",
  gitBranch: "Ramo",
  gitUser: "Nome",
  gitPassword: "Senha ou token",
  gitLocal: "É esse mesmo: perguntar",
  gitDoing: (doing, percent) => `${doing}: ${percent} %`,
  gitCut: "A conexão com o Treadle foi interrompida. Nada foi guardado; tente de novo.",
  gitOpen: "Abrir o projeto",
  taking: (share) => `Importando: ${share} %`,
  stopTaking: "Parar",
  emptyFolder: "A pasta não tem nenhum arquivo que se possa importar. Nada foi criado.",
  folderTooLarge: "A pasta tem mais de 20.000 arquivos ou 1 GB, o máximo aceito. Nada foi criado.",
  yours: "Seus projetos",
  find: "Procurar um projeto",
  findHint: "Procurar um projeto…",
  noneFound: "Nenhum projeto tem esse nome.",
  moreFor: (name) => `Mais opções de ${name}`,
  more: "Mais",
  rename: "Renomear",
  delete: "Excluir",
  wasDeleted: (name) => `“${name}” foi excluído.`,
  deletedFor: (name, minutes) => `“${name}” foi excluído. Fica guardado por mais ${minutes} min.`,
  putBack: "Recuperar",
  putBackNamed: (name) => `Recuperar ${name}`,
  justDeleted: "Recém-excluídos",
  undo: "Desfazer",
  archiveIt: "Arquivar",
  unarchive: "Tirar do arquivo",
  showArchived: (count) => `Mostrar ${count} arquivados`,
  hideArchived: "Ocultar arquivados",
  example: {
    todo: {
      label: "um app de tarefas",
      prompt:
        "Crie um app de tarefas: adicionar, marcar como feita, filtrar por abertas e feitas, e manter a lista quando a página for recarregada.",
    },
    landing: {
      label: "uma landing page",
      prompt:
        "Crie uma landing page para uma pequena oficina de bicicletas: horário de funcionamento, três serviços com preços e um formulário para pedir um horário.",
    },
    dashboard: {
      label: "um painel a partir de CSV",
      prompt:
        "Crie um painel que leia um arquivo CSV que eu solte na página e mostre as colunas em uma tabela, com um gráfico de barras de qualquer coluna numérica que eu escolher.",
    },
    api: {
      label: "uma API pequena",
      prompt:
        "Crie uma pequena API Express para notas: listar, criar, alterar e excluir, com validação de entrada e uma resposta em / que liste as rotas.",
    },
    game: {
      label: "um jogo",
      prompt:
        "Crie um jogo da cobrinha em um canvas: setas e toque, uma pontuação e um recorde que fica guardado.",
    },
  },
} satisfies typeof en;
