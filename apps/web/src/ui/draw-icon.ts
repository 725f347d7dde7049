import { createElement, memo, type SVGProps } from "react";

/** An icon as the library keeps it: its shapes, each with its attributes. */
interface IconData {
  size: number;
  node: readonly (readonly [string, Record<string, string>])[];
}

interface IconProps extends SVGProps<SVGSVGElement> {
  /** Pixels. */
  size?: number;
}

/**
 * Stands in for lucide-react's own `createLucideIcon` (vite.config.ts): that puts an icon together anew with each drawing of
 * what is around it, from options that nothing here uses, which cost a tenth of all that the page computes.
 */
export default function drawIcon({ size: side, node }: IconData) {
  const shapes = node.map(([name, attributes]) => createElement(name, attributes));
  return memo(({ size = side, ...rest }: IconProps) =>
    createElement(
      "svg",
      {
        xmlns: "http://www.w3.org/2000/svg",
        width: size,
        height: size,
        viewBox: `0 0 ${side} ${side}`,
        fill: "none",
        stroke: "currentColor",
        strokeWidth: 2,
        strokeLinecap: "round",
        strokeLinejoin: "round",
        ...rest,
      },
      shapes,
    ),
  );
}
