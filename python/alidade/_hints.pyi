from alidade._typing import *
