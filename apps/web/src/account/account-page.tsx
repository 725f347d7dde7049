import { AccountFrame } from "./account-frame.tsx";
import { AuthenticatorSection } from "./authenticator-section.tsx";
import { IdentitySection } from "./identity-section.tsx";
import { ProviderSection } from "./provider-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { TokensSection } from "./tokens-section.tsx";

/** The person's own account: who they are, how they sign in, and where they are signed in. */
export function AccountPage() {
  return (
    <AccountFrame at="/account">
      <IdentitySection />
      <AuthenticatorSection />
      <ProviderSection />
      <SessionsSection />
      <TokensSection />
    </AccountFrame>
  );
}
