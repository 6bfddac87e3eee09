package dev.chargehand.server.internal.auth;

import dev.chargehand.server.Principal;
import dev.chargehand.server.PrincipalResolver;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.http.Exchange;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.route.SignedIn;
import dev.chargehand.store.Store;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the caller of a request by its bearer token. Without resolvers every caller may do everything, for one tenant. */
public final class SignIn {

    private static final Logger LOG = LoggerFactory.getLogger(SignIn.class);

    private static final int TOKEN_LENGTH = 8 * 1024;

    private static final SignedIn ANYONE =
            SignedIn.of(new Principal("local", Store.LOCAL, Optional.empty(), EnumSet.allOf(Scope.class)));

    private final List<PrincipalResolver> resolvers;

    /** Make it; the first resolver that knows a token decides. */
    public SignIn(List<PrincipalResolver> resolvers) {
        this.resolvers = List.copyOf(resolvers);
    }

    /** Return whether callers must sign in. */
    public boolean isRequired() {
        return !resolvers.isEmpty();
    }

    /**
     * Return the caller of a request.
     *
     * @throws ProblemException if the caller is not signed in, or may not call the route
     */
    public SignedIn require(Exchange exchange, Route.Access access) {
        if (!access.signedIn() || !isRequired()) {
            return ANYONE;
        }
        SignedIn caller = token(exchange).flatMap(this::resolve).orElseThrow(SignIn::notSignedIn);
        access.scope().filter(scope -> !caller.principal().has(scope)).ifPresent(scope -> {
            throw Problem.lacks(scope);
        });
        return caller;
    }

    private static Optional<String> token(Exchange exchange) {
        List<String> values = exchange.headers("Authorization");
        String value = values.size() == 1 ? values.getFirst() : "";
        boolean bearer = value.regionMatches(true, 0, "Bearer ", 0, 7) && value.length() <= TOKEN_LENGTH;
        return bearer ? Optional.of(value.substring(7).strip()).filter(token -> !token.isEmpty()) : Optional.empty();
    }

    private Optional<SignedIn> resolve(String token) {
        for (PrincipalResolver resolver : resolvers) {
            try {
                Optional<Principal> found = resolver.resolve(token);
                if (found.isPresent()) {
                    return found.map(principal -> new SignedIn(principal, () -> resolver.isRevoked(token)))
                            .filter(caller -> !caller.hasExpired());
                }
            } catch (RuntimeException e) {
                LOG.warn("A resolver of callers has failed; its token counts as unknown: {}", e.toString());
            }
        }
        return Optional.empty();
    }

    private static ProblemException notSignedIn() {
        return Problem.NOT_SIGNED_IN
                .of("Send the header 'Authorization: Bearer …' with a key or token that is known and has not expired.")
                .header("WWW-Authenticate", "Bearer");
    }
}
