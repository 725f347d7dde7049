declare module "virtual:lucide/*" {
  import type { Icon } from "./make-icon.tsx";

  const icon: Icon;
  export default icon;
}
