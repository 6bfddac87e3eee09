package dev.chargehand.langchain4j.internal;

import dev.chargehand.error.ModelException;
import dev.chargehand.error.ModelException.Kind;
import dev.chargehand.provider.fault.ProviderError;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.exception.RetriableException;
import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.exception.UnresolvedModelServerException;
import dev.langchain4j.exception.UnsupportedFeatureException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says what a failure of one of the library's own models means. Its messages quote bodies, so they stay out. */
public final class LibraryFailure {

    /** Causes may be a circle. */
    private static final int DEEPEST = 20;

    private LibraryFailure() {}

    /** Throw if the thread was interrupted. */
    public static void stopIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("The thread was interrupted while it asked a model.");
        }
    }

    /**
     * Make the exception for a failure.
     *
     * @throws InterruptedException if it failed since the thread was interrupted, which libraries wrap
     */
    public static ModelException of(RuntimeException failure, ProviderFaults faults) throws InterruptedException {
        stopIfInterrupted();
        List<Throwable> causes = causes(failure);
        if (causes.stream().anyMatch(LibraryFailure::isInterrupt)) {
            throw new InterruptedException("The thread was interrupted while it asked a model.");
        }
        // A status says more than the exception that it is wrapped in.
        for (Throwable cause : causes) {
            if (cause instanceof HttpException http) {
                return faults.status(http.statusCode(), ProviderError.UNKNOWN, null);
            }
        }
        for (Throwable cause : causes) {
            ModelException known = known(cause, faults);
            if (known != null) {
                return known;
            }
        }
        boolean passes = failure instanceof RetriableException;
        return made(Kind.OVERLOADED, passes, "the LangChain4j model failed", failure, faults);
    }

    private static List<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable cause = failure; cause != null && causes.size() < DEEPEST; cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }

    private static boolean isInterrupt(Throwable cause) {
        return cause instanceof InterruptedException || cause instanceof ClosedByInterruptException;
    }

    private static @Nullable ModelException known(Throwable cause, ProviderFaults faults) {
        return switch (cause) {
            case AuthenticationException key -> faults.status(401, ProviderError.UNKNOWN, null);
            case RateLimitException rate -> faults.status(429, ProviderError.UNKNOWN, null);
            case ModelNotFoundException model -> faults.status(404, ProviderError.UNKNOWN, null);
            case InternalServerException server -> faults.status(500, ProviderError.UNKNOWN, null);
            case TimeoutException late ->
                made(Kind.TIMEOUT, true, "the LangChain4j model took too long", cause, faults);
            case InvalidRequestException request -> rejected(cause, faults);
            case UnsupportedFeatureException request -> rejected(cause, faults);
            case IllegalArgumentException request -> rejected(cause, faults);
            case UnresolvedModelServerException server -> unreachable(cause, faults);
            case IOException broken -> unreachable(cause, faults);
            default -> null;
        };
    }

    private static ModelException rejected(Throwable cause, ProviderFaults faults) {
        return made(Kind.INVALID_REQUEST, false, "the LangChain4j model rejected the request", cause, faults);
    }

    private static ModelException unreachable(Throwable cause, ProviderFaults faults) {
        return made(Kind.CONNECTION, true, "the LangChain4j model could not reach its server", cause, faults);
    }

    private static ModelException made(
            Kind kind, boolean retryable, String what, Throwable cause, ProviderFaults faults) {
        String type = cause.getClass().getSimpleName();
        return new ModelException(
                kind, retryable, null, "Model '" + faults.model() + "': " + what + " (" + type + ").", null);
    }
}
