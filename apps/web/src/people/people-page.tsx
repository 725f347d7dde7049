import { AccountFrame } from "../account/account-frame.tsx";
import { InvitationSection } from "./invitation-section.tsx";
import { PersonList } from "./person-list.tsx";
import { SignInRulesSection } from "./sign-in-rules-section.tsx";
import { TeamSection } from "./team-section.tsx";

/** Everybody with an account, open invitations, and teams. For administrators. */
export function PeoplePage() {
  return (
    <AccountFrame at="/people">
      <PersonList />
      <InvitationSection />
      <TeamSection />
      <SignInRulesSection />
    </AccountFrame>
  );
}
