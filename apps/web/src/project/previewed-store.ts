import { create } from "zustand";
import { useWork } from "./work-store.ts";

/** The latest request to the preview to show a page; each request is a new object. */
interface Previewed {
  asked: { port: number; path: string; serial: number } | undefined;
}

export const usePreviewed = create<Previewed>(() => ({ asked: undefined }));

/** Shows a page served on a port of the project in the preview. */
export function showPreview(port: number, path = "/"): void {
  const serial = (usePreviewed.getState().asked?.serial ?? 0) + 1;
  usePreviewed.setState({ asked: { port, path, serial } });
  useWork.getState().chooseTab("preview");
}
