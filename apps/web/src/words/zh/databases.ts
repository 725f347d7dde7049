import type { databases as en } from "../en/databases.ts";
import { counted } from "./counted.ts";

export const databases = {
  title: "应用数据",
  open: "查看其内容",
  reading: "正在读取应用写入的内容…",
  none: "应用尚未写入 SQLite 数据库：data/app.db 之类的文件会显示在这里。",
  database: "数据库",
  of: { preview: "预览", published: "已发布" },
  table: "表",
  language: "SQL",
  filter: "在各行中查找",
  rows: (amount: number, more = false) =>
    more ? counted(amount, { other: "前 # 行" }) : counted(amount, { other: "# 行" }),
  edit: (column: string) => `编辑 ${column}`,
  addRow: "添加一行",
  removeRow: "删除此行",
  removeAsk: "要删除这一行吗？",
  removeAbout: "它会立即从数据库中删除，无法恢复。",
  cancel: "取消",
  before: "前面的行",
  next: "后面的行",
  sql: "要运行的 SQL",
  run: "运行",
  changed: (amount: number) => counted(amount, { other: "更改了 # 行" }),
  result: "返回的结果",
} satisfies typeof en;
