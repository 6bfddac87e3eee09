package dev.chargehand.server.internal.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The header Prefer is read as RFC 7240 has it. */
class PreferTest {

    private static String read(String header) {
        return Prefer.waiting(header, 60)
                .map(Duration::toSeconds)
                .map(Object::toString)
                .orElse("none");
    }

    @Test
    void aWishIsRead() {
        assertThat(Stream.of(
                        "wait=5",
                        "WAIT=5",
                        "wait = 5",
                        "wait=\"5\"",
                        "wait=005",
                        "respond-async, wait=5",
                        "wait=5; foo=\"a, wait=7\"",
                        "foo=\"wait=7\", wait=5",
                        "wait=5, wait=7"))
                .allSatisfy(header -> assertThat(read(header)).as(header).isEqualTo("5"));
    }

    @Test
    void aLongWishIsLowered() {
        assertThat(Stream.of("wait=61", "wait=3600", "wait=99999", "wait=99999999999999999999"))
                .allSatisfy(header -> assertThat(read(header)).as(header).isEqualTo("60"));
        assertThat(read("wait=0")).isEqualTo("0");
    }

    @Test
    void whatCannotBeReadIsNoWish() {
        assertThat(Stream.of(
                        "",
                        "wait",
                        "wait=",
                        "wait=x",
                        "wait=-1",
                        "wait=1.5",
                        "wait=\u0665",
                        "await=5",
                        "foo=wait=5",
                        "foo; wait=5",
                        "wait=\"5",
                        "wait=x, wait=5",
                        ";=,\""))
                .allSatisfy(header -> assertThat(read(header)).as(header).isEqualTo("none"));
    }
}
