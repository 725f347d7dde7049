import type { SVGProps } from "react";

export interface IconProps extends SVGProps<SVGSVGElement> {
  /** Width and height, in pixels. */
  size?: number;
}

/** A Lucide icon in the colour of the text, hidden from screen readers unless it has a label. */
export type Icon = (props: IconProps) => React.JSX.Element;

/** Creates an icon. @param drawing the contents of the `svg` element, from the icon set bundled with the page */
export function makeIcon(drawing: string): Icon {
  const inner = { __html: drawing };
  return function LucideIcon({ size = 24, ...props }) {
    return (
      <svg
        xmlns="http://www.w3.org/2000/svg"
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden={props["aria-label"] === undefined ? true : undefined}
        {...props}
        dangerouslySetInnerHTML={inner}
      />
    );
  };
}
