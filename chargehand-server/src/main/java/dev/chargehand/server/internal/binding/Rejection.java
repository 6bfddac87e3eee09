package dev.chargehand.server.internal.binding;

import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.Reply;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The answers to requests that a server of HTTP rejects before there is an exchange: problems, as those of all others. */
final class Rejection {

    private Rejection() {}

    /** Return the answer for a status that the server has chosen. */
    static Reply.Whole of(int status) {
        ProblemException problem =
                switch (status) {
                    case 413 -> Problem.BODY_TOO_LARGE.of("The body is larger than the server accepts.");
                    case 414 ->
                        Problem.PATH_TOO_LONG.of(
                                "The first line of a request may have at most " + ListenOptions.HEADERS + " bytes.");
                    case 431 ->
                        Problem.HEADERS_TOO_LARGE.of("The headers of a request may have at most "
                                + ListenOptions.HEADERS + " bytes together.");
                    case 500 ->
                        Problem.INTERNAL.of("The request could not be answered because of an error of the server.");
                    default ->
                        Problem.BAD_REQUEST.of(
                                "The request is not one of HTTP/1.1: its first line, a header, or the length of its body is invalid.");
                };
        return problem.reply();
    }

    /** Return the body of such an answer. */
    static byte[] body(Reply.Whole answer) {
        return Objects.requireNonNull(answer.body(), "a problem has a body")
                .text()
                .getBytes(StandardCharsets.UTF_8);
    }
}
