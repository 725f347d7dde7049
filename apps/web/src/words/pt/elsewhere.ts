import type { elsewhere as en } from "../en/elsewhere.ts";

export const elsewhere = {
  nothing: "Nada foi publicado ainda. Uma versão é enviada depois disso.",
  target: "Para onde",
  names: {
    netlify: "Netlify",
    vercel: "Vercel",
    cloudflare: "Cloudflare Workers",
    "github-pages": "GitHub Pages",
    coolify: "Coolify",
    dokploy: "Dokploy",
    rsync: "Qualquer servidor, por rsync",
    registry: "Registro de contêineres",
  },
  about: {
    netlify:
      "Os arquivos são enviados como são servidos aqui. Sem um site, é criado um com o nome que tem aqui.",
    vercel:
      "Os arquivos são enviados como são servidos aqui; nada é compilado lá. Sem um projeto, usa o nome que tem aqui.",
    cloudflare:
      "Os arquivos se tornam os recursos estáticos de um Worker. O id da conta está no endereço do painel.",
    "github-pages":
      "Os arquivos são enviados a um branch próprio, que o GitHub mostra. O repositório precisa existir.",
    coolify:
      "A versão é enviada a um branch de um repositório, com um Dockerfile, e o Coolify a compila e executa.",
    dokploy:
      "A versão é enviada a um branch de um repositório, com um Dockerfile, e o Dokploy a compila e executa.",
    rsync:
      "Os arquivos são copiados para uma pasta de um servidor que o Treadle alcança por ssh. O que não faz mais parte dela é removido lá.",
    registry:
      "Uma imagem é criada pelo Docker desta máquina e enviada, com o número da versão e como latest.",
  },
  sitesOnly:
    "Este é um app com servidor próprio; aqui só se aceitam arquivos. Coolify, Dokploy e um registro de contêineres o aceitam.",
  fields: {
    site: "Site (nome ou id)",
    project: "Projeto",
    team: "Equipe (id ou slug)",
    account: "Id da conta",
    script: "Nome do Worker",
    repository: "Repositório",
    branch: "Branch",
    server: "Endereço do servidor",
    machine: "Servidor (id)",
    environment: "Ambiente",
    application: "Aplicação (id)",
    key: "Chave de implantação lá (id)",
    image: "Imagem",
    user: "Nome de usuário",
    folder: "Servidor e pasta",
    address: "Endereço do site",
  },
  more: (amount: number) => `Opcional (${amount})`,
  optional: (field: string) => `${field} (opcional)`,
  token: "Token",
  password: "Senha ou token",
  tokenNote:
    "Fica no servidor, para todos os projetos. Não é mostrado a ninguém, e nenhum app o vê.",
  tokenKept: "Um token está guardado no servidor.",
  forgetToken: "Esquecer",
  meant: "É este mesmo: enviar",
  send: (release: number) => `Enviar a versão ${release}`,
  stop: "Parar",
  onItsWay: "Está a caminho",
  deployments: "Enviados antes",
  states: { sending: "a caminho", ready: "está lá", failed: "falhou", stopped: "parado" },
} satisfies typeof en;
