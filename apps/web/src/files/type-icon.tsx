import { File, FileBraces, FileCode, FileImage, FileText, FileType } from "../ui/icons.ts";
import type { Icon } from "../ui/make-icon.tsx";
import { kindOfFile, type FileKind } from "./kind-of-file.ts";

const ICONS: Record<FileKind, Icon> = {
  code: FileCode,
  data: FileBraces,
  image: FileImage,
  font: FileType,
  text: FileText,
  other: File,
};

/** The icon for a file's type, by its extension. */
export function TypeIcon({ path }: { path: string }) {
  const Sign = ICONS[kindOfFile(path)];
  return <Sign size={14} aria-hidden="true" className="shrink-0 text-quiet" />;
}
