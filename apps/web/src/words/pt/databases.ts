import type { databases as en } from "../en/databases.ts";
import { counted } from "./counted.ts";

export const databases = {
  title: "Dados do app",
  open: "Mostrar o que há nele",
  reading: "Lendo o que o app gravou…",
  none: "O app ainda não tem banco de dados: arquivos SQLite como data/app.db aparecem aqui, e o que ele tem no PostgreSQL.",
  database: "Banco de dados",
  of: { preview: "Prévia", published: "Publicado" },
  table: "Tabela",
  language: "SQL",
  asFile: "Baixar o banco",
  asCsv: "Baixar como CSV",
  given: (name: string) => `Arquivo para ${name}`,
  putFile: "Pôr outro banco no lugar…",
  putCsv: "Adicionar linhas de um CSV…",
  putAsk: (name: string) => `Pôr o arquivo no lugar de ${name}?`,
  putAbout:
    "Tudo o que está no banco é substituído. Uma cópia dele como está agora fica em .data/copies.",
  putAction: "Substituir",
  back: (name: string) => `Pôr esta cópia de volta no lugar de ${name}…`,
  backAsk: (name: string) => `Pôr esta cópia no lugar de ${name}?`,
  backAbout:
    "Tudo o que está no banco é substituído pelo que havia nele naquele momento. Uma cópia dele como está agora fica em .data/copies. As migrações posteriores são executadas de novo antes de o servidor iniciar.",
  backAction: "Pôr de volta",
  filter: "Procurar nas linhas",
  rows: (amount: number, more = false) =>
    more
      ? counted(amount, { one: "a primeira linha", other: "as primeiras # linhas" })
      : counted(amount, { one: "# linha", other: "# linhas" }),
  edit: (column: string) => `Editar ${column}`,
  addRow: "Adicionar uma linha",
  removeRow: "Remover a linha",
  removeAsk: "Remover esta linha?",
  removeAbout: "Ela sai do banco na hora e não pode ser recuperada.",
  cancel: "Cancelar",
  before: "Linhas anteriores",
  next: "Próximas linhas",
  sql: "SQL a executar",
  run: "Executar",
  changed: (amount: number) =>
    counted(amount, { one: "# linha alterada", other: "# linhas alteradas" }),
  result: "O que respondeu",
} satisfies typeof en;
