
Bx1Jç8•CEDHÓ3t>LD¯D