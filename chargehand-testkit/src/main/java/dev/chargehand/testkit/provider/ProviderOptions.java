package dev.chargehand.testkit.provider;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Set how a {@link LoopbackProvider} checks and remembers.
 *
 * @param port the port to listen on; 0, the default, takes a free one
 * @param rules the rules checked on each request for a chat or embeddings; all by default
 * @param maxBodyBytes the size above which {@link Rule#BODY_SIZE} is broken, in bytes; 4 MiB by default. A body above
 *     64 MiB is answered 413 in any case.
 * @param keptExchanges how many exchanges the log keeps, the oldest are dropped; 100,000 by default
 */
public record ProviderOptions(int port, Set<Rule> rules, int maxBodyBytes, int keptExchanges) {

    /** The defaults. */
    public static final ProviderOptions DEFAULT =
            new ProviderOptions(0, EnumSet.allOf(Rule.class), 4 * 1024 * 1024, 100_000);

    /** Check the values; throws {@link IllegalArgumentException} for a negative number or a port above 65,535. */
    public ProviderOptions {
        rules = Set.copyOf(rules);
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port is " + port + "; 0 to 65535 is allowed, 0 takes a free one.");
        }
        if (maxBodyBytes < 0 || keptExchanges < 0) {
            throw new IllegalArgumentException("maxBodyBytes and keptExchanges are 0 or more; they are " + maxBodyBytes
                    + " and " + keptExchanges + ".");
        }
    }

    /** Listen on this port. */
    public ProviderOptions withPort(int port) {
        return new ProviderOptions(port, rules, maxBodyBytes, keptExchanges);
    }

    /** Check these rules only. */
    public ProviderOptions withRules(Collection<Rule> rules) {
        return new ProviderOptions(port, Set.copyOf(rules), maxBodyBytes, keptExchanges);
    }

    /** Leave these rules unchecked. */
    public ProviderOptions without(Rule... unchecked) {
        EnumSet<Rule> left = EnumSet.noneOf(Rule.class);
        left.addAll(rules);
        left.removeAll(List.of(unchecked));
        return withRules(left);
    }

    /** Allow bodies of this many bytes. */
    public ProviderOptions withMaxBodyBytes(int maxBodyBytes) {
        return new ProviderOptions(port, rules, maxBodyBytes, keptExchanges);
    }

    /** Keep this many exchanges. */
    public ProviderOptions withKeptExchanges(int keptExchanges) {
        return new ProviderOptions(port, rules, maxBodyBytes, keptExchanges);
    }

    /**
     * Spend as little as possible on each request: no rule is checked and nothing is kept.
     *
     * <p>For benchmarks, where the provider shares the machine with what is measured.
     */
    public ProviderOptions forLoad() {
        return withRules(Set.of()).withKeptExchanges(0);
    }
}
