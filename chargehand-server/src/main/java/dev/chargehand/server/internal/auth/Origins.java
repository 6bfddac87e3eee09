package dev.chargehand.server.internal.auth;

import dev.chargehand.server.internal.http.Exchange;
import dev.chargehand.server.internal.route.Problem;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides from which hosts and origins requests are accepted. A page of another site that a browser has open may send requests to a
 * server on this machine, also under a name of its own (DNS rebinding); the browser then names that host, or the origin of the page.
 */
public final class Origins {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private static final Set<String> HEALTH = Set.of("/healthz", "/readyz");

    private final Set<String> hosts;

    /**
     * Make it.
     *
     * @param host where the server listens
     * @param names further names of the server, without a port
     */
    public Origins(String host, Set<String> names) {
        this.hosts = Stream.of(LOOPBACK, names, Set.of(host.contains(":") ? "[" + host + "]" : host))
                .flatMap(Set::stream)
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Check a request. */
    public void check(Exchange exchange) {
        List<String> sent = exchange.headers("Host");
        if (sent.isEmpty() && HEALTH.contains(exchange.path())) {
            return; // a health check of a proxy; browsers always name a host
        }
        if (sent.size() != 1) {
            throw Problem.BAD_REQUEST.of("A request has one header 'Host', which is a name of this server.");
        }
        if (!hosts.contains(withoutPort(sent.getFirst()))) {
            throw Problem.BAD_HOST.of("The header 'Host' must be a name of this server; its names are configured.");
        }
        List<String> origins = exchange.headers("Origin");
        if (!origins.isEmpty() && (origins.size() > 1 || !isOwn(origins.getFirst(), sent.getFirst()))) {
            throw Problem.BAD_ORIGIN.of("Requests of pages of other origins are not accepted.");
        }
    }

    private static boolean isOwn(String origin, String host) {
        try {
            String authority = URI.create(origin).getRawAuthority();
            return authority != null && authority.equalsIgnoreCase(host);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        boolean port = colon > host.lastIndexOf(']');
        return (port ? host.substring(0, colon) : host).toLowerCase(Locale.ROOT);
    }
}
