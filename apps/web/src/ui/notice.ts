import type { ExternalToast } from "sonner";
import { create } from "zustand";

/** Whether anything was told yet: until then nothing of how it is shown is loaded. */
export const useNotices = create<{ any: boolean }>(() => ({ any: false }));

let tellReady = () => {};
const ready = new Promise<void>((resolve) => (tellReady = resolve));

/** The place of notices is on the page, and hears of those that come. */
export const noticesReady = (): void => tellReady();

/** Tells the person something in passing, at the edge of the page. */
export function notice(words: string, options?: ExternalToast): void {
  useNotices.setState({ any: true });
  void Promise.all([import("sonner"), ready]).then(([{ toast }]) => toast(words, options));
}

/** The same of what did not work. */
export function noticeError(words: string): void {
  useNotices.setState({ any: true });
  void Promise.all([import("sonner"), ready]).then(([{ toast }]) => toast.error(words));
}
