package dev.chargehand.verify.memory;

import dev.chargehand.internal.engine.tree.ChildThreads;
import dev.chargehand.run.AgentPath;
import dev.chargehand.thread.ThreadOwner;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Whose memory a text belongs to. Every text of the harness names it, so that one in the wrong place is recognised.
 *
 * @param agent {@link #LEAD}, or {@link #CLERK} for the lead's sub-agent
 */
record Owner(String tenant, String resource, String agent) {

    static final String LEAD = "lead";
    static final String CLERK = "clerk";

    private static final Pattern LABEL = Pattern.compile("owner-([a-z]+)-([a-z0-9]+)-([a-z]+)");

    /** Return the word that names it in its texts. */
    String label() {
        return "owner-" + tenant + "-" + resource + "-" + agent;
    }

    /** Return the owner of what the sub-agent remembers for the same resource. */
    Owner clerk() {
        return new Owner(tenant, resource, CLERK);
    }

    /** Return whether the sub-agent or its lead remembers for the same resource of the same tenant. */
    boolean isBeside(Owner other) {
        return tenant.equals(other.tenant) && resource.equals(other.resource);
    }

    /** Return whom a text names, in order. */
    static List<Owner> in(String text) {
        return LABEL.matcher(text)
                .results()
                .map(found -> new Owner(found.group(1), found.group(2), found.group(3)))
                .toList();
    }

    /** Return whom a text names first. */
    static Optional<Owner> of(String text) {
        return in(text).stream().findFirst();
    }

    /** Return it as the store knows it. */
    ThreadOwner stored() {
        return agent.equals(LEAD) ? ThreadOwner.of(resource) : new ThreadOwner(resource, path().toString());
    }

    /** Return the thread on which it remembers a conversation. */
    String thread(String conversation) {
        return agent.equals(LEAD) ? conversation : ChildThreads.ownThread(conversation, path());
    }

    private static AgentPath path() {
        return AgentPath.root(LEAD).child(CLERK);
    }
}
