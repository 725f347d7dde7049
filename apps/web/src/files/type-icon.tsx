import {
  File,
  FileBraces,
  FileCode,
  FileImage,
  FileText,
  FileType,
  type LucideIcon,
} from "../ui/icons.ts";
import { kindOfFile, type FileKind } from "./kind-of-file.ts";

const ICONS: Record<FileKind, LucideIcon> = {
  code: FileCode,
  data: FileBraces,
  image: FileImage,
  font: FileType,
  text: FileText,
  other: File,
};

/** The sign of what a file holds, by its ending. */
export function TypeIcon({ path }: { path: string }) {
  const Icon = ICONS[kindOfFile(path)];
  return <Icon size={14} aria-hidden="true" className="shrink-0 text-quiet" />;
}
