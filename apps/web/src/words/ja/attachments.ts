import type { attachments as en } from "../en/attachments.ts";
import { counted } from "./counted.ts";

export const attachments = {
  addFiles: "ファイルを追加",
  addAbout: "画像やその他のファイルを追加（ドロップや貼り付けも可）",
  filesToAdd: "追加するファイル",
  letGo: "ここで放すと、画像はモデルに見せ、その他のファイルはプロジェクトの data/ に入ります",
  pictures: "画像",
  remove: (name) => `${name} を取り除く`,
  asFile: (name) => `${name} をファイルとしてプロジェクトに入れる`,
  files: "ファイル",
  notUploaded: "アップロードされていません",
  goesTo: (place) => `送信すると ${place} としてプロジェクトに入ります`,
  uploading: (place) => `${place} をアップロードしています`,
  someFailed: (why) => `一部のファイルがプロジェクトに入っていません。${why}`,
  tooLarge: "上限の 1 GB を超えています。",
  nothingSent: (why) => `何も送信していません。${why}`,
  tooMany: (most) =>
    counted(most, { other: "# 個を超えるファイルのフォルダは渡せません。何も追加していません。" }),
  unreadable: (path) => `${path} を読み取れません。何も追加していません。`,
} satisfies typeof en;
