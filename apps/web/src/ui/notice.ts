import type { ExternalToast } from "sonner";
import { create } from "zustand";

/** Whether there has been a notice yet; the component that shows them is loaded only then. */
export const useNotices = create<{ any: boolean }>(() => ({ any: false }));

let signalReady = () => {};
const ready = new Promise<void>((resolve) => (signalReady = resolve));

/** Call once the component that shows notices is mounted. */
export const noticesReady = (): void => signalReady();

/** Shows a brief notice at the edge of the page. */
export function notice(words: string, options?: ExternalToast): void {
  useNotices.setState({ any: true });
  void Promise.all([import("sonner"), ready]).then(([{ toast }]) => toast(words, options));
}

/** Takes a notice back, by the `id` of its options. */
export function takeNoticeBack(id: string): void {
  if (!useNotices.getState().any) return;
  void Promise.all([import("sonner"), ready]).then(([{ toast }]) => toast.dismiss(id));
}

/** Shows a brief error notice. */
export function noticeError(words: string): void {
  useNotices.setState({ any: true });
  void Promise.all([import("sonner"), ready]).then(([{ toast }]) => toast.error(words));
}
