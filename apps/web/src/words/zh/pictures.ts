import type { pictures as en } from "../en/pictures.ts";

export const pictures = {
  openWhole: "查看完整图片",
  lookOf: (what) => `${what} 当时的样子`,
  unreadable: "无法读取图片。",
  pictures: "图片",
  picture: (number, size) => `图片 ${number}，${size}`,
} satisfies typeof en;
