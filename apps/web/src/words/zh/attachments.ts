import type { attachments as en } from "../en/attachments.ts";
import { counted } from "./counted.ts";

export const attachments = {
  addFiles: "添加文件",
  addAbout: "添加图片或其他文件（也可拖放或粘贴）",
  filesToAdd: "要添加的文件",
  letGo: "松开即可：图片会给模型看，其他文件放入项目的 data/ 目录",
  pictures: "图片",
  remove: (name) => `移除 ${name}`,
  asFile: (name) => `将 ${name} 作为文件放入项目`,
  files: "文件",
  notUploaded: "未上传",
  goesTo: (place) => `发送后将以 ${place} 放入项目`,
  uploading: (place) => `正在上传 ${place}`,
  someFailed: (why) => `有文件未能放入项目。${why}`,
  tooLarge: "文件超过 1 GB 的上限。",
  nothingSent: (why) => `没有发送任何内容。${why}`,
  tooMany: (most) => counted(most, { other: "文件夹不能超过 # 个文件。没有添加任何文件。" }),
  unreadable: (path) => `无法读取 ${path}。没有添加任何文件。`,
} satisfies typeof en;
