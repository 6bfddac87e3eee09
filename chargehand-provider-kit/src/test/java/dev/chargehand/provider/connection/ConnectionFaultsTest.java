package dev.chargehand.provider.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.error.ModelException;
import dev.chargehand.error.ModelException.Kind;
import dev.chargehand.provider.fault.ProviderFaults;
import java.io.IOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLHandshakeException;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.ProtocolException;
import org.junit.jupiter.api.Test;

/** What cannot be made to happen on a loopback socket. */
class ConnectionFaultsTest {

    @Test
    void whatMayPassIsRetryable() {
        assertConnection(new UnknownHostException("llm.example"), true);
        assertConnection(new ConnectTimeoutException("x"), true);
        assertConnection(new SocketException("Connection reset"), true);
        assertConnection(new SSLHandshakeException("Remote host terminated the handshake"), true);
    }

    @Test
    void anUntrustedCertificateIsNot() {
        IOException e = new SSLHandshakeException("PKIX path building failed");
        e.initCause(new CertificateException("unable to find valid certification path"));
        assertConnection(e, false);
    }

    @Test
    void whatWasOnTheWireIsNotQuoted() {
        ModelException e = of(new ClientProtocolException(new ProtocolException("Invalid header: my diary")));
        assertThat(e.kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(e.getCause()).isNull();
    }

    private static void assertConnection(IOException cause, boolean retryable) {
        ModelException e = of(cause);
        assertThat(e.kind()).isEqualTo(Kind.CONNECTION);
        assertThat(e.retryable()).isEqualTo(retryable);
    }

    private static ModelException of(IOException e) {
        return ConnectionFaults.of(
                e, new HttpHost("http", "llm.example", 8080), new ProviderFaults("test/model", "TEST_API_KEY"));
    }
}
