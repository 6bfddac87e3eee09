package dev.chargehand.verify.harness;

/** The class path of this process, to start another with. */
public final class OwnClassPath {

    private OwnClassPath() {}

    /** Return it as an option of a JVM takes it; a test runner may have packed its own into a jar that says little. */
    public static String text() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
