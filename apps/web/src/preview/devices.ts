/** Sizes of the preview, in CSS pixels. */
export interface Size {
  width: number;
  height: number;
}

export interface Device extends Size {
  id: string;
  name: string;
  kind: "phone" | "tablet" | "screen";
}

/** Viewports of browsers on these devices, in portrait orientation for handheld ones. */
export const DEVICES: readonly Device[] = [
  { id: "iphone-se", name: "iPhone SE", kind: "phone", width: 375, height: 667 },
  { id: "iphone-16", name: "iPhone 16", kind: "phone", width: 393, height: 852 },
  { id: "iphone-16-max", name: "iPhone 16 Pro Max", kind: "phone", width: 440, height: 956 },
  { id: "pixel-9", name: "Pixel 9", kind: "phone", width: 412, height: 915 },
  { id: "galaxy-s24", name: "Galaxy S24", kind: "phone", width: 360, height: 780 },
  { id: "galaxy-fold", name: "Galaxy Z Fold", kind: "phone", width: 344, height: 882 },
  { id: "ipad-mini", name: "iPad mini", kind: "tablet", width: 744, height: 1133 },
  { id: "ipad-air", name: "iPad Air 11″", kind: "tablet", width: 820, height: 1180 },
  { id: "ipad-pro", name: "iPad Pro 13″", kind: "tablet", width: 1032, height: 1376 },
  { id: "surface", name: "Surface Pro", kind: "tablet", width: 912, height: 1368 },
  { id: "laptop", name: "Laptop", kind: "screen", width: 1280, height: 800 },
  { id: "desktop", name: "Desktop", kind: "screen", width: 1920, height: 1080 },
];

/** The whole pane, a width set by the person, or a device, upright or rotated. */
export type Shape =
  | { kind: "fill" }
  | { kind: "free"; width: number }
  | { kind: "device"; id: string; turned: boolean };

/** The minimum and maximum free width. */
export const FREE_WIDTH_PX = { from: 240, to: 2560 };

/** The window size of a shape; undefined fills the pane. A free width uses the pane's height. */
export function sizeOf(shape: Shape, room: Size): Size | undefined {
  if (shape.kind === "fill") return undefined;
  if (shape.kind === "free") return { width: shape.width, height: room.height };
  const device = DEVICES.find(({ id }) => id === shape.id);
  if (!device) return undefined;
  const { width, height } = device;
  return shape.turned ? { width: height, height: width } : { width, height };
}

/** The scale at which a window fits the pane; at most 1. */
export function scaleOf(size: Size, room: Size): number {
  return Math.min(1, room.width / size.width, room.height / size.height);
}

export const clampWidth = (width: number): number =>
  Math.round(Math.min(FREE_WIDTH_PX.to, Math.max(FREE_WIDTH_PX.from, width)));

/** Parses a stored shape; falls back to the default if it is no longer valid. */
export function readShape(stored: string | undefined): Shape {
  const [kind, value = "", turned] = (stored ?? "").split(":");
  if (kind === "free" && Number(value) > 0) return { kind, width: clampWidth(Number(value)) };
  if (kind === "device" && DEVICES.some(({ id }) => id === value))
    return { kind, id: value, turned: turned === "turned" };
  return { kind: "fill" };
}

export function writeShape(shape: Shape): string | undefined {
  if (shape.kind === "fill") return undefined;
  if (shape.kind === "free") return `free:${shape.width}`;
  return `device:${shape.id}${shape.turned ? ":turned" : ""}`;
}
