import type { NextConfig } from "next";

const config: NextConfig = {
  allowedDevOrigins: ["*.localhost"],
  devIndicators: false,
};

export default config;
