import type { ComponentProps, MouseEvent, ReactNode } from "react";

export type ButtonKind = "primary" | "plain" | "quiet" | "danger";

const BASE =
  "inline-flex items-center justify-center gap-1.5 rounded whitespace-nowrap select-none aria-disabled:opacity-50 pointer-coarse:min-h-11";
const KINDS: Record<ButtonKind, string> = {
  primary:
    "bg-accent text-on-accent font-medium not-aria-disabled:hover:brightness-110 aria-disabled:bg-hover aria-disabled:text-quiet aria-disabled:opacity-100",
  plain: "border border-line bg-raised hover:bg-hover",
  quiet: "text-quiet hover:text-ink hover:bg-hover",
  danger: "border border-failed text-failed hover:bg-hover",
};
const SIZES = { small: "h-7 px-2 text-small", medium: "h-8 px-3 text-base" };

/** The classes of a button, for links styled as one. */
export function buttonClass(
  kind: ButtonKind = "plain",
  size: keyof typeof SIZES = "small",
): string {
  return `${BASE} ${SIZES[size]} ${KINDS[kind]}`;
}

export interface ButtonProps extends ComponentProps<"button"> {
  kind?: ButtonKind;
  size?: keyof typeof SIZES;
}

/** Ignores a click on a disabled button, which also stops Enter in a field from submitting the form. */
function ignoreClick(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * A `button` that keeps the focus when it is disabled: browsers take the focus away from a button with the attribute
 * `disabled`, and the keyboard then leaves the dialog. This one says that it is disabled, and ignores clicks.
 */
export function FocusableButton({ disabled, onClick, ...rest }: ComponentProps<"button">) {
  return (
    <button
      type="button"
      {...rest}
      {...(disabled ? { "aria-disabled": true, onClick: ignoreClick } : { onClick })}
    />
  );
}

export function Button({ kind, size, className = "", ...rest }: ButtonProps) {
  return (
    <FocusableButton
      data-main={kind === "primary" || undefined}
      className={`${buttonClass(kind, size)} ${className}`}
      {...rest}
    />
  );
}

/** A button with only an icon. Always has a name, which is shown as the browser's tooltip. */
export function IconButton({
  name,
  children,
  className = "",
  ...rest
}: ComponentProps<"button"> & { name: string; children: ReactNode }) {
  return (
    <FocusableButton
      aria-label={name}
      title={name}
      className={`inline-flex size-7 shrink-0 items-center justify-center rounded text-quiet hover:bg-hover hover:text-ink aria-disabled:opacity-40 pointer-coarse:size-11 ${className}`}
      {...rest}
    >
      {children}
    </FocusableButton>
  );
}
