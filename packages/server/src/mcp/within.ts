/** Whether it came true in time. */
export async function within(
  work: Promise<boolean>,
  ms: number,
  signal: AbortSignal,
): Promise<boolean> {
  let give!: (value: boolean) => void;
  const early = new Promise<boolean>((resolve) => (give = resolve));
  const late = () => give(false);
  const timer = setTimeout(late, ms);
  signal.addEventListener("abort", late, { once: true });
  if (signal.aborted) late();
  try {
    return await Promise.race([work, early]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", late);
  }
}
