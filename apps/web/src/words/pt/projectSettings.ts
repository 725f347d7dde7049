import type { projectSettings as en } from "../en/projectSettings.ts";
import { counted } from "./counted.ts";

export const projectSettings = {
  reading: "Lendo…",
  hosts: "Hosts permitidos",
  hostsAbout:
    "O servidor do app, cada comando e o navegador que olha o app acessam estes hosts, além do registro de pacotes, que nenhuma página acessa. Uma alteração vale na hora.",
  remove: (what) => `Remover ${what}`,
  staticHosts: "Fontes, CDNs do npm e bancos de imagens",
  staticAbout: (amount) =>
    counted(amount, {
      one: "# host público do qual ninguém pode ler nada de volta. Só é consultado, nunca recebe nada.",
      other:
        "# hosts públicos dos quais ninguém pode ler nada de volta. Só são consultados, nunca recebem nada.",
    }),
  limitBrowser: "Limitar também o meu navegador a estes hosts",
  limitAbout: "Na prévia. Caso contrário, ele busca o que qualquer página pode buscar.",
  runsInTab: "Rodar em uma aba minha",
  runsInTabAbout:
    "Com os WebContainers da StackBlitz, em vez da sandbox daqui: instalação, comandos e servidor rodam no seu navegador, cuja aba precisa ficar aberta. Só Node, sem segredos, sem lista de hosts; as páginas são vistas por essa aba. O contêiner é carregado dos hosts da StackBlitz, sob os termos dela; o uso comercial exige uma licença.",
  openTab: "Abrir a aba",
  host: "Host",
  hostHint: "api.example.com ou *.example.com",
  allow: "Permitir",
  approvals: "Aprovações",
  approvalsAbout:
    "Arquivos que agentes, editores, git ou CI obedecem, e scripts que rodam em uma instalação, são sempre perguntados.",
  whenToAsk: "Quando perguntar",
  modes: {
    ask: { title: "Perguntar", about: "Antes de cada alteração e de cada comando." },
    safe: {
      title: "Automático para arquivos",
      about:
        "Arquivos do projeto são escritos; comandos são perguntados. No fim de cada turno, o Treadle executa no sandbox, sem perguntar, os scripts do próprio projeto (prebuild, build, dev), que o modelo pode ter escrito.",
    },
    auto: { title: "Automático", about: "Tudo o que fica dentro do sandbox é feito." },
  },
  verdicts: "Veredito",
  verdictsAbout: "As verificações não custam tokens. O que se diz ao modelo depois delas, sim.",
  verdictModes: {
    thorough: {
      title: "Completo",
      about:
        "Se o app funciona e nenhuma verificação mostra o que você pediu, o modelo é avisado uma vez e pode criar uma.",
    },
    quick: { title: "Rápido", about: "O turno termina assim que se vê o app funcionar." },
  },
  always: "Sempre permitido aqui, sem perguntar",
  askAgain: (what) => `Voltar a perguntar sobre ${what}`,
  limits: {
    turnDollars: "Dólares por rodada",
    turnTokens: "Tokens por rodada",
    turnSteps: "Passos por rodada",
    turnMinutes: "Minutos por rodada",
    projectDollars: "Dólares no total",
    projectTokens: "Tokens no total",
  },
  noLimit: "sem limite",
  budget: "Orçamento",
  budgetAbout:
    "Uma rodada que atinge um limite para com o que tem e segue com Continuar. Dólares são contados quando o preço do modelo é conhecido.",
  setBudget: "Definir o orçamento",
  badLimit: "Um limite é um número maior que 0, ou vazio para nenhum.",
  moneyUsed: (used, of) => `${used} de ${of} usados`,
  tokensUsed: (used, of) => `${used} de ${of} tokens usados`,
  ownRules: "Suas regras",
  ownRulesAbout: "Ditas ao modelo em todos os seus projetos, a partir da próxima rodada.",
  keptBeside: (files) => ` Guardadas junto na pasta de dados: ${files}.`,
  ownRulesHint: "CSS puro em vez de Tailwind. Comentários em português.",
  keep: "Guardar",
  tooLong: (length, most) => `${length} caracteres; o máximo é ${most}.`,
  rules: "Regras do projeto",
  rulesAbout:
    "Arquivos como AGENTS.md que vieram com o projeto. Dizem como o código é escrito; não podem permitir nada ao modelo. Uma alteração vale a partir da próxima rodada.",
  noRules: "Este projeto não tem nenhuma.",
  ruleFiles: "Arquivos de regras",
  ruleStates: {
    cut: "só o começo e o fim são ditos",
    name: "lido pelo modelo quando importa",
    off: "desligado",
    other: "para nenhum arquivo daqui",
    same: "diz o mesmo que um acima",
    room: "omitido: os de cima ocupam o espaço",
    changed: "alterado fora desta página, não dito até você aceitar",
  },
  characters: (amount) => counted(amount, { one: "# caractere", other: "# caracteres" }),
  outside: "Alterado fora desta página",
  outsideAbout:
    "Por um programa do projeto, ou em outro editor enquanto ele rodava. Skills são ditas ao modelo depois que você as aceita; os outros são obedecidos por agentes, editores, git, CI ou npm na sua máquina, e aqui só pelo sandbox.",
  removed: "removido",
  installScripts: "scripts de instalação",
  accept: "Aceitar",
  acceptAs: (path) => ` ${path} como está`,
  open: "Abrir",
  secrets: "Segredos",
  secretsAbout:
    "Chaves de que o próprio app precisa. O servidor encontra cada uma como variável com esse nome e pode acessar o host a que ela se destina, se houver um. Ficam criptografadas neste servidor e não fazem parte de nenhuma mensagem, arquivo, ponto salvo ou download.",
  forHost: "para",
  aSecret: "Um segredo",
  name: "Nome",
  forTheHost: "Para o host (opcional)",
  value: "Valor",
  takesPlace: "Substitui o que está guardado",
  replace: "Substituir",
  learnsLater: "O servidor da prévia só fica sabendo quando reiniciar.",
  environment: "Quem o tem",
  environments: { both: "Prévia e publicado", preview: "Só a prévia", published: "Só o publicado" },
  restart: "Reiniciar",
} satisfies typeof en;
