import { useEffect, useEffectEvent, useState } from "react";
import { readDroppedFiles, hasFiles, type AddedFile } from "./added-files.ts";

/** Attribute of elements that handle dropped files themselves. */
export const TAKES_FILES = "data-takes-files";

/**
 * Handles files dropped anywhere on the page, so that the browser does not open them in its place. Excludes those dropped
 * into the preview, because the app may handle them.
 * @returns whether files are being dragged over the page
 */
export function usePageDrop(
  onFiles: (files: AddedFile[]) => void,
  onProblem: (error: unknown) => void,
): boolean {
  const [isDragOver, setIsDragOver] = useState(false);
  const passFiles = useEffectEvent((data: DataTransfer) => {
    readDroppedFiles(data).then(onFiles, onProblem);
  });
  useEffect(() => {
    const listening = new AbortController();
    const on = (name: "dragover" | "dragleave" | "drop", listener: (event: DragEvent) => void) =>
      // Runs before an editor would paste the file as text.
      addEventListener(name, listener, { capture: true, signal: listening.signal });
    const elsewhere = ({ target }: DragEvent) =>
      target instanceof Element && target.closest(`[${TAKES_FILES}]`) !== null;
    on("dragover", (event) => {
      if (!hasFiles(event.dataTransfer)) return;
      setIsDragOver(!elsewhere(event));
      if (elsewhere(event)) return;
      event.preventDefault();
      event.stopPropagation();
      event.dataTransfer!.dropEffect = "copy";
    });
    on("dragleave", ({ relatedTarget }) => {
      if (relatedTarget === null) setIsDragOver(false);
    });
    on("drop", (event) => {
      setIsDragOver(false);
      if (!hasFiles(event.dataTransfer) || elsewhere(event)) return;
      event.preventDefault();
      event.stopPropagation();
      passFiles(event.dataTransfer!);
    });
    return () => listening.abort();
  }, []);
  return isDragOver;
}
